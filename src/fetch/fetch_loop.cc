// SPDX-License-Identifier: Apache-2.0
#include "fetch/fetch_loop.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "base/hash.h"

namespace crivello::fetch {
namespace {

// How often time and rate limits are checked: one pass over the running transfers.
constexpr Duration kCheckInterval = std::chrono::milliseconds(100);

// libcurl resumes TLS sessions from a share object, each of which holds only eight, whatever one configures.
// So there are many, and a host always uses the same one.
constexpr size_t kShares = 512;

// How long, and for how many hosts, a bad certificate is remembered (CertificatePolicy::kNote).
constexpr Duration kNoteTime = std::chrono::hours(1);
constexpr size_t kMaxNotes = 10'000;

// Connections per multi handle, and multi handles per loop.  A multi handle takes 40 KB.
constexpr uint32_t kConnectionsPerMulti = 64;
constexpr uint32_t kMaxMultis = 256;

std::string Origin(const web::Url& url) { return std::string(url.protocol()).append(url.host()); }

uint64_t OriginHash(const web::Url& url) { return Hash64(url.host(), Hash64(url.protocol())); }

}  // namespace

FetchLoop::FetchLoop(const CurlFetcherOptions& options, std::unique_ptr<EventLoop> loop)
    : options_(options), shares_(kShares), loop_(std::move(loop)) {
  settings_.options = &options_;
  settings_.hooks = this;
  settings_.opened = &FetchLoop::OnOpened;
  settings_.close = &FetchLoop::OnClose;
  settings_.arriving = &arriving_;
  if (options.arriving_bytes > 0) {
    settings_.max_arriving = options.arriving_bytes / static_cast<uint64_t>(std::max(1, options.loops));
  }
  if (!options.user_agent.empty()) settings_.lines.push_back("User-Agent: " + options.user_agent);
  for (const RequestField& field : options.fields) settings_.lines.push_back(field.name + ": " + field.value);
}

Result<std::unique_ptr<FetchLoop>> FetchLoop::Open(const CurlFetcherOptions& options) {
  CRV_ASSIGN(std::unique_ptr<EventLoop> events, EventLoop::Open());
  std::unique_ptr<FetchLoop> loop(new FetchLoop(options, std::move(events)));
  CRV_TRY(loop->MakeMultis());
  CRV_TRY(loop->loop_->Start(loop.get()));
  return loop;
}

Status FetchLoop::MakeMultis() {
  max_open_ = std::max(1u, options_.max_connections / static_cast<uint32_t>(std::max(1, options_.loops)));
  const uint32_t count = std::clamp(max_open_ / kConnectionsPerMulti, 1u, kMaxMultis);
  multis_.resize(count);
  timers_.assign(count, MonotonicTime::max());
  // Hosts are not evenly distributed; ToBeClosed() enforces the total limit.
  const long connections = count == 1 ? long{max_open_} : 2 * long{max_open_} / count;
  // Behind a proxy libcurl would count all hosts as one.
  const long per_address = options_.proxy.empty() ? static_cast<long>(options_.connections_per_address) : 0;
  for (uint32_t i = 0; i < count; i++) {
    Multi& multi = multis_[i];
    multi = {.loop = this, .handle = curl_multi_init(), .index = i};
    if (multi.handle == nullptr) return Status::Unavailable("libcurl is out of memory");
    curl_multi_setopt(multi.handle, CURLMOPT_SOCKETFUNCTION, &FetchLoop::OnCurlSocket);
    curl_multi_setopt(multi.handle, CURLMOPT_SOCKETDATA, &multi);
    curl_multi_setopt(multi.handle, CURLMOPT_TIMERFUNCTION, &FetchLoop::OnCurlTimer);
    curl_multi_setopt(multi.handle, CURLMOPT_TIMERDATA, &multi);
    curl_multi_setopt(multi.handle, CURLMOPT_MAXCONNECTS, connections);
    curl_multi_setopt(multi.handle, CURLMOPT_MAX_HOST_CONNECTIONS, per_address);
  }
  return Status::Ok();
}

void FetchLoop::Shutdown() { loop_->Stop(); }

FetchLoop::~FetchLoop() {
  Shutdown();
  for (const Multi& multi : multis_) {
    if (multi.handle != nullptr) curl_multi_cleanup(multi.handle);
  }
  for (CURLSH* share : shares_) {
    if (share != nullptr) curl_share_cleanup(share);
  }
}

void FetchLoop::Submit(std::unique_ptr<Fetch> fetch) {
  in_flight_.fetch_add(1, std::memory_order_relaxed);
  {
    MutexLock lock(mu_);
    if (!closed_) inbox_.fetches.push_back(std::move(fetch));
  }
  if (fetch != nullptr) return Refuse(std::move(fetch), Outcome::kCancelled, "cancelled");
  loop_->Wake();
}

void FetchLoop::Cancel(uint64_t id) {
  {
    MutexLock lock(mu_);
    inbox_.cancelled.push_back(id);
  }
  loop_->Wake();
}

void FetchLoop::Abort() {
  aborted_ = true;
  loop_->Wake();
}

Fetcher::Stats FetchLoop::stats() const {
  return {.fetches = fetches_.load(std::memory_order_relaxed),
          .connections = connections_.load(std::memory_order_relaxed),
          .open = open_.load(std::memory_order_relaxed),
          .arriving = seen_arriving_.load(std::memory_order_relaxed),
          .waiting = waiting_.load(std::memory_order_relaxed),
          .received_bytes = received_bytes_.load(std::memory_order_relaxed)};
}

int FetchLoop::NextTurnMs() {
  {
    MutexLock lock(mu_);
    if (!inbox_.empty()) return 0;
  }
  if (aborted_ && !active_.empty()) return 0;
  MonotonicTime next = *std::min_element(timers_.begin(), timers_.end());
  if (!active_.empty()) next = std::min(next, next_check_);
  if (next == MonotonicTime::max()) return -1;
  const Duration wait = next - SystemClock().Now();
  if (wait <= Duration::zero()) return 0;
  return static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(wait).count());
}

void FetchLoop::OnReady(int fd, unsigned events) {
  int what = 0, running = 0;
  if ((events & EventLoop::kRead) != 0) what |= CURL_CSELECT_IN;
  if ((events & EventLoop::kWrite) != 0) what |= CURL_CSELECT_OUT;
  if ((events & EventLoop::kError) != 0) what |= CURL_CSELECT_ERR;
  const Multi& multi = multis_[owners_[static_cast<size_t>(fd)].multi];
  curl_multi_socket_action(multi.handle, fd, what, &running);
  // At once, because the next submission may use its connection.
  Collect(multi);
}

void FetchLoop::OnTurn() {
  TakeInbox();
  if (aborted_) StopAll();
  const MonotonicTime now = SystemClock().Now();
  for (const Multi& multi : multis_) {
    if (timers_[multi.index] > now) continue;
    timers_[multi.index] = MonotonicTime::max();
    int running = 0;
    curl_multi_socket_action(multi.handle, CURL_SOCKET_TIMEOUT, 0, &running);
    Collect(multi);
  }
  if (!active_.empty() && next_check_ <= now) CheckLimits(now);
}

void FetchLoop::OnStop() {
  aborted_ = true;
  // A sink may submit while it receives cancelled fetches.
  while (true) {
    TakeInbox();
    StopAll();
    MutexLock lock(mu_);
    closed_ = inbox_.empty();
    if (closed_) return;
  }
}

void FetchLoop::TakeInbox() {
  {
    MutexLock lock(mu_);
    std::swap(inbox_, taken_);
  }
  for (std::unique_ptr<Fetch>& fetch : taken_.fetches) Start(std::move(fetch));
  taken_.fetches.clear();
  for (const uint64_t id : taken_.cancelled) {
    const auto found = std::find_if(active_.begin(), active_.end(),
                                    [&](const auto& transfer) { return transfer->fetch().id == id; });
    if (found != active_.end()) Stop(**found, Outcome::kCancelled, "cancelled");
  }
  taken_.cancelled.clear();
}

void FetchLoop::Start(std::unique_ptr<Fetch> fetch) {
  if (aborted_) return Refuse(std::move(fetch), Outcome::kCancelled, "cancelled");
  std::unique_ptr<Transfer> transfer;
  if (pool_.empty()) {
    transfer = std::make_unique<Transfer>(settings_);
  } else {
    transfer = std::move(pool_.back());
    pool_.pop_back();
  }
  if (ToBeClosed(fetch->request)) fetch->request.keep_alive = false;
  if (!transfer->Begin(std::move(fetch))) return Deliver(std::move(transfer));

  if (options_.certificates == CertificatePolicy::kNote && !notes_.empty()) {
    const auto note = notes_.find(Origin(transfer->fetch().request.url));
    if (note != notes_.end() && options_.clock->Now() < note->second.until) {
      transfer->NoteCertificate(note->second.message);
    }
  }
  if (active_.empty()) next_check_ = SystemClock().Now() + kCheckInterval;
  transfer->index = active_.size();
  active_.push_back(std::move(transfer));
  Run(*active_.back());
}

void FetchLoop::Run(Transfer& transfer) {
  const Status armed = transfer.Arm(transfer.https() ? ShareFor(transfer.fetch().request.url) : nullptr);
  if (!armed.ok()) return Stop(transfer, Outcome::kInternal, armed.message());
  const Request& request = transfer.fetch().request;
  const IpAddress& address = transfer.fetch().response.remote;
  const uint64_t hash = options_.proxy.empty() ? std::hash<IpAddress>()(address) : OriginHash(request.url);
  const Multi& multi = multis_[ScaleTo(hash, multis_.size())];
  transfer.multi = multi.handle;
  const CURLMcode code = curl_multi_add_handle(multi.handle, transfer.easy());
  if (code != CURLM_OK) Stop(transfer, Outcome::kInternal, curl_multi_strerror(code));
}

bool FetchLoop::ToBeClosed(const Request& request) const {
  // Close the new one, not the one idle for longest: if hosts are visited in turns, the others still exist
  // when their turn comes.
  return open_.load(std::memory_order_relaxed) >= max_open_ &&
         !open_by_host_.contains(OriginHash(request.url));
}

void FetchLoop::Collect(const Multi& multi) {
  int left = 0;
  while (CURLMsg* message = curl_multi_info_read(multi.handle, &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    void* owner = nullptr;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &owner);
    End(*static_cast<Transfer*>(owner), message->data.result);  // `message` becomes invalid there
  }
}

void FetchLoop::End(Transfer& transfer, CURLcode code) {
  const bool again = transfer.Done(code);
  curl_multi_remove_handle(transfer.multi, transfer.easy());
  const Response& response = transfer.fetch().response;
  if (!response.certificate_message.empty()) {
    if (notes_.size() >= kMaxNotes) notes_.clear();
    notes_.try_emplace(Origin(transfer.fetch().request.url),
                       Note{response.certificate_message, options_.clock->Now() + kNoteTime});
  }
  if (again) {
    Run(transfer);
  } else {
    Deliver(Detach(transfer));
  }
}

void FetchLoop::CheckLimits(MonotonicTime now) {
  next_check_ = now + kCheckInterval;
  const MonotonicTime time = options_.clock->Now();
  // Backwards: stopping one moves the last one into its place.
  for (size_t i = active_.size(); i-- > 0;) {
    const Outcome outcome = active_[i]->CheckLimits(time);
    if (outcome == Outcome::kOk) continue;
    const Limits& limits = active_[i]->fetch().request.limits;
    const auto seconds = [](Duration duration) { return std::chrono::duration<double>(duration).count(); };
    Stop(*active_[i], outcome,
         outcome == Outcome::kTimeout
             ? fmt::format("not done after {} s", seconds(limits.total_time))
             : fmt::format("fewer than {} bytes a second over {} s", limits.min_bytes_per_second,
                           seconds(limits.rate_window)));
  }
  LetContinue();
}

void FetchLoop::LetContinue() {
  seen_arriving_.store(arriving_, std::memory_order_relaxed);
  Transfer* longest = nullptr;
  for (const auto& transfer : active_) {
    if (!transfer->waits()) continue;
    const size_t size = transfer->fetch().response.body.size();
    if (longest == nullptr || size > longest->fetch().response.body.size()) longest = transfer.get();
  }
  if (longest == nullptr) return waiting_.store(0, std::memory_order_relaxed);
  const bool has_room = arriving_ < settings_.max_arriving;
  // Its try may have ended since, and the next one waits like any other.
  if (!has_room && (has_priority_ == nullptr || has_priority_->waits())) has_priority_ = longest;
  // Backwards: delivering one moves the last one into its place.
  uint64_t waiting = 0;
  for (size_t i = active_.size(); i-- > 0;) {
    Transfer& transfer = *active_[i];
    if (!transfer.waits()) continue;
    const bool first = &transfer == has_priority_;
    if (has_room || first) {
      const auto room = first ? Transfer::Room::kToTheEnd : Transfer::Room::kShared;
      if (const CURLcode code = transfer.Continue(room); code != CURLE_OK) {
        End(transfer, code);
        continue;
      }
    }
    if (transfer.waits()) ++waiting;
  }
  waiting_.store(waiting, std::memory_order_relaxed);
}

void FetchLoop::Stop(Transfer& transfer, Outcome outcome, std::string message) {
  transfer.Stop(outcome, std::move(message));
  curl_multi_remove_handle(transfer.multi, transfer.easy());
  Deliver(Detach(transfer));
}

void FetchLoop::StopAll() {
  while (!active_.empty()) Stop(*active_.back(), Outcome::kCancelled, "cancelled");
}

std::unique_ptr<Transfer> FetchLoop::Detach(Transfer& transfer) {
  const size_t index = transfer.index;
  if (has_priority_ == &transfer) has_priority_ = nullptr;
  std::swap(active_[index], active_.back());
  active_[index]->index = index;
  std::unique_ptr<Transfer> detached = std::move(active_.back());
  active_.pop_back();
  return detached;
}

void FetchLoop::Deliver(std::unique_ptr<Transfer> transfer) {
  std::unique_ptr<Fetch> fetch = transfer->Take();
  pool_.push_back(std::move(transfer));
  seen_arriving_.store(arriving_, std::memory_order_relaxed);
  if (active_.empty()) waiting_.store(0, std::memory_order_relaxed);
  Give(std::move(fetch));
}

void FetchLoop::Give(std::unique_ptr<Fetch> fetch) {
  fetches_.fetch_add(1, std::memory_order_relaxed);
  received_bytes_.fetch_add(fetch->response.received_bytes, std::memory_order_relaxed);
  in_flight_.fetch_sub(1, std::memory_order_relaxed);
  sink_->OnFetched(std::move(fetch));
}

void FetchLoop::Refuse(std::unique_ptr<Fetch> fetch, Outcome outcome, std::string message) {
  Response& response = fetch->response;
  response.Clear();
  response.outcome = outcome;
  response.message = std::move(message);
  response.timings.start = options_.clock->Wall();
  response.timings.start_monotonic = options_.clock->Now();
  Give(std::move(fetch));
}

CURLSH* FetchLoop::ShareFor(const web::Url& url) {
  CURLSH*& share = shares_[Hash64(url.host()) % kShares];
  if (share == nullptr) {
    share = curl_share_init();
    if (share != nullptr) curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
  }
  return share;
}

int FetchLoop::OnCurlSocket(CURL*, curl_socket_t fd, int what, void* self, void*) {
  unsigned events = 0;
  if (what == CURL_POLL_IN || what == CURL_POLL_INOUT) events |= EventLoop::kRead;
  if (what == CURL_POLL_OUT || what == CURL_POLL_INOUT) events |= EventLoop::kWrite;
  const auto& multi = *static_cast<Multi*>(self);
  multi.loop->OwnerOf(fd).multi = multi.index;
  multi.loop->loop_->Watch(fd, events);
  return 0;
}

int FetchLoop::OnCurlTimer(CURLM*, long timeout_ms, void* self) {
  const auto& multi = *static_cast<Multi*>(self);
  multi.loop->timers_[multi.index] =
      timeout_ms < 0 ? MonotonicTime::max() : SystemClock().Now() + std::chrono::milliseconds(timeout_ms);
  return 0;
}

FetchLoop::Owner& FetchLoop::OwnerOf(curl_socket_t fd) {
  const auto index = static_cast<size_t>(fd);
  if (index >= owners_.size()) owners_.resize(index + 1 + index / 2);
  return owners_[index];
}

void FetchLoop::OnOpened(void* self, curl_socket_t fd, const Request& request) {
  auto* loop = static_cast<FetchLoop*>(self);
  const uint64_t host = OriginHash(request.url);
  loop->OwnerOf(fd).host = host;
  ++loop->open_by_host_[host];
  loop->connections_.fetch_add(1, std::memory_order_relaxed);
  loop->open_.fetch_add(1, std::memory_order_relaxed);
}

int FetchLoop::OnClose(void* self, curl_socket_t fd) {
  auto* loop = static_cast<FetchLoop*>(self);
  loop->loop_->Closed(fd);
  const auto host = loop->open_by_host_.find(loop->OwnerOf(fd).host);
  if (host != loop->open_by_host_.end() && --host->second == 0) loop->open_by_host_.erase(host);
  loop->open_.fetch_sub(1, std::memory_order_relaxed);
  return ::close(fd);
}

}  // namespace crivello::fetch
