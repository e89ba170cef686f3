// SPDX-License-Identifier: Apache-2.0
#include "fetch/fetch_loop.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "base/hash.h"

namespace crivello::fetch {
namespace {

// How often limits of time and rate are looked at: one pass over the running transfers.
constexpr Duration kCheckInterval = std::chrono::milliseconds(100);

// libcurl resumes TLS sessions out of a share object, and each of these has room for eight, whatever one
// asks for: so there are many, and a host has its place in one of them.
constexpr size_t kShares = 512;

// For how long, and for how many hosts, a bad certificate is taken as known (Certificates::kNote).
constexpr Duration kNoteTime = std::chrono::hours(1);
constexpr size_t kMaxNotes = 10'000;

std::string Origin(const web::Url& url) { return std::string(url.protocol()).append(url.host()); }

}  // namespace

FetchLoop::FetchLoop(const Fetcher::Options& options, CURLM* multi, std::unique_ptr<EventLoop> loop)
    : options_(options), multi_(multi), shares_(kShares), loop_(std::move(loop)) {
  settings_.options = &options_;
  settings_.hooks = this;
  settings_.opened = &FetchLoop::OnOpened;
  settings_.close = &FetchLoop::OnClose;
  if (!options.user_agent.empty()) settings_.lines.push_back("User-Agent: " + options.user_agent);
  for (const RequestField& field : options.fields) settings_.lines.push_back(field.name + ": " + field.value);
}

Result<std::unique_ptr<FetchLoop>> FetchLoop::Open(const Fetcher::Options& options) {
  CRV_ASSIGN(std::unique_ptr<EventLoop> events, EventLoop::Open());
  CURLM* multi = curl_multi_init();
  if (multi == nullptr) return Status::Unavailable("libcurl is out of memory");
  std::unique_ptr<FetchLoop> loop(new FetchLoop(options, multi, std::move(events)));
  const long connections = std::max(1L, static_cast<long>(options.max_connections) / options.loops);
  curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, &FetchLoop::OnCurlSocket);
  curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, loop.get());
  curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, &FetchLoop::OnCurlTimer);
  curl_multi_setopt(multi, CURLMOPT_TIMERDATA, loop.get());
  curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, connections);
  // Behind a proxy libcurl would count all hosts as one.
  const long per_address = options.proxy.empty() ? static_cast<long>(options.connections_per_address) : 0;
  curl_multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS, per_address);
  CRV_TRY(loop->loop_->Start(loop.get()));
  return loop;
}

void FetchLoop::Shutdown() { loop_->Stop(); }

FetchLoop::~FetchLoop() {
  Shutdown();
  pool_.clear();
  curl_multi_cleanup(multi_);
  for (CURLSH* share : shares_) {
    if (share != nullptr) curl_share_cleanup(share);
  }
}

void FetchLoop::Submit(std::unique_ptr<Exchange> exchange) {
  in_flight_.fetch_add(1, std::memory_order_relaxed);
  {
    MutexLock lock(mu_);
    if (!closed_) inbox_.exchanges.push_back(std::move(exchange));
  }
  if (exchange != nullptr) return Refuse(std::move(exchange), Outcome::kCancelled, "cancelled");
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
  return {.exchanges = exchanges_.load(std::memory_order_relaxed),
          .connections = connections_.load(std::memory_order_relaxed),
          .open = open_.load(std::memory_order_relaxed),
          .received_bytes = received_bytes_.load(std::memory_order_relaxed)};
}

int FetchLoop::NextTurnMs() {
  {
    MutexLock lock(mu_);
    if (!inbox_.empty()) return 0;
  }
  if (active_.empty() && !timer_) return -1;
  if (aborted_ && !active_.empty()) return 0;
  MonotonicTime next = MonotonicTime::max();
  if (!active_.empty()) next = next_check_;
  if (timer_) next = std::min(next, *timer_);
  const Duration wait = next - SystemClock().Now();
  if (wait <= Duration::zero()) return 0;
  return static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(wait).count());
}

void FetchLoop::OnReady(int fd, unsigned events) {
  int what = 0, running = 0;
  if ((events & EventLoop::kRead) != 0) what |= CURL_CSELECT_IN;
  if ((events & EventLoop::kWrite) != 0) what |= CURL_CSELECT_OUT;
  if ((events & EventLoop::kError) != 0) what |= CURL_CSELECT_ERR;
  curl_multi_socket_action(multi_, fd, what, &running);
}

void FetchLoop::OnTurn() {
  // Those that are done come first: what follows them may use their connections.
  Collect();
  TakeInbox();
  if (aborted_) StopAll();
  const MonotonicTime now = SystemClock().Now();
  if (timer_ && *timer_ <= now) {
    timer_.reset();
    int running = 0;
    curl_multi_socket_action(multi_, CURL_SOCKET_TIMEOUT, 0, &running);
    Collect();
  }
  if (!active_.empty() && next_check_ <= now) CheckLimits(now);
}

void FetchLoop::OnStop() {
  aborted_ = true;
  // A sink may submit while it is told of what was cancelled.
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
  for (std::unique_ptr<Exchange>& exchange : taken_.exchanges) Start(std::move(exchange));
  taken_.exchanges.clear();
  for (const uint64_t id : taken_.cancelled) {
    const auto found = std::find_if(active_.begin(), active_.end(),
                                    [&](const auto& transfer) { return transfer->exchange().id == id; });
    if (found != active_.end()) Stop(**found, Outcome::kCancelled, "cancelled");
  }
  taken_.cancelled.clear();
}

void FetchLoop::Start(std::unique_ptr<Exchange> exchange) {
  if (aborted_) return Refuse(std::move(exchange), Outcome::kCancelled, "cancelled");
  std::unique_ptr<Transfer> transfer;
  if (pool_.empty()) {
    transfer = Transfer::Create(settings_);
    if (transfer == nullptr)
      return Refuse(std::move(exchange), Outcome::kInternal, "libcurl is out of memory");
  } else {
    transfer = std::move(pool_.back());
    pool_.pop_back();
  }
  if (!transfer->Begin(std::move(exchange))) return Deliver(std::move(transfer));

  if (options_.certificates == Fetcher::Certificates::kNote && !notes_.empty()) {
    const auto note = notes_.find(Origin(transfer->exchange().request.url));
    if (note != notes_.end() && SystemClock().Now() < note->second.until) {
      transfer->NoteCertificate(note->second.message);
    }
  }
  if (active_.empty()) next_check_ = SystemClock().Now() + kCheckInterval;
  transfer->index = active_.size();
  active_.push_back(std::move(transfer));
  Run(*active_.back());
}

void FetchLoop::Run(Transfer& transfer) {
  transfer.Arm(transfer.https() ? ShareFor(transfer.exchange().request.url) : nullptr);
  const CURLMcode code = curl_multi_add_handle(multi_, transfer.easy());
  if (code != CURLM_OK) Stop(transfer, Outcome::kInternal, curl_multi_strerror(code));
}

void FetchLoop::Collect() {
  int left = 0;
  while (CURLMsg* message = curl_multi_info_read(multi_, &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    void* owner = nullptr;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &owner);
    auto& transfer = *static_cast<Transfer*>(owner);
    const bool again = transfer.Done(message->data.result);  // `message` dies with the removal below
    curl_multi_remove_handle(multi_, transfer.easy());
    const Response& response = transfer.exchange().response;
    if (!response.certificate_message.empty()) {
      if (notes_.size() >= kMaxNotes) notes_.clear();
      notes_.try_emplace(Origin(transfer.exchange().request.url),
                         Note{response.certificate_message, SystemClock().Now() + kNoteTime});
    }
    if (again) {
      Run(transfer);
    } else {
      Deliver(Detach(transfer));
    }
  }
}

void FetchLoop::CheckLimits(MonotonicTime now) {
  next_check_ = now + kCheckInterval;
  // Backwards: stopping one moves the last into its place.
  for (size_t i = active_.size(); i-- > 0;) {
    const Outcome outcome = active_[i]->CheckLimits(now);
    if (outcome == Outcome::kOk) continue;
    const Limits& limits = active_[i]->exchange().request.limits;
    const auto seconds = [](Duration duration) { return std::chrono::duration<double>(duration).count(); };
    Stop(*active_[i], outcome,
         outcome == Outcome::kTimeout
             ? fmt::format("not done after {} s", seconds(limits.total_time))
             : fmt::format("fewer than {} bytes a second over {} s", limits.min_bytes_per_second,
                           seconds(limits.rate_window)));
  }
}

void FetchLoop::Stop(Transfer& transfer, Outcome outcome, std::string message) {
  transfer.Stop(outcome, std::move(message));
  curl_multi_remove_handle(multi_, transfer.easy());
  Deliver(Detach(transfer));
}

void FetchLoop::StopAll() {
  while (!active_.empty()) Stop(*active_.back(), Outcome::kCancelled, "cancelled");
}

std::unique_ptr<Transfer> FetchLoop::Detach(Transfer& transfer) {
  const size_t index = transfer.index;
  std::swap(active_[index], active_.back());
  active_[index]->index = index;
  std::unique_ptr<Transfer> detached = std::move(active_.back());
  active_.pop_back();
  return detached;
}

void FetchLoop::Deliver(std::unique_ptr<Transfer> transfer) {
  std::unique_ptr<Exchange> exchange = transfer->Take();
  pool_.push_back(std::move(transfer));
  Give(std::move(exchange));
}

void FetchLoop::Give(std::unique_ptr<Exchange> exchange) {
  exchanges_.fetch_add(1, std::memory_order_relaxed);
  received_bytes_.fetch_add(exchange->response.received_bytes, std::memory_order_relaxed);
  in_flight_.fetch_sub(1, std::memory_order_relaxed);
  options_.sink->OnFetched(std::move(exchange));
}

void FetchLoop::Refuse(std::unique_ptr<Exchange> exchange, Outcome outcome, std::string message) {
  Response& response = exchange->response;
  response.Clear();
  response.outcome = outcome;
  response.message = std::move(message);
  response.timings.start = SystemClock().Wall();
  response.timings.start_monotonic = SystemClock().Now();
  Give(std::move(exchange));
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
  static_cast<FetchLoop*>(self)->loop_->Watch(fd, events);
  return 0;
}

int FetchLoop::OnCurlTimer(CURLM*, long timeout_ms, void* self) {
  auto& timer = static_cast<FetchLoop*>(self)->timer_;
  if (timeout_ms < 0) {
    timer.reset();
  } else {
    timer = SystemClock().Now() + std::chrono::milliseconds(timeout_ms);
  }
  return 0;
}

void FetchLoop::OnOpened(void* self) {
  auto* loop = static_cast<FetchLoop*>(self);
  loop->connections_.fetch_add(1, std::memory_order_relaxed);
  loop->open_.fetch_add(1, std::memory_order_relaxed);
}

int FetchLoop::OnClose(void* self, curl_socket_t fd) {
  auto* loop = static_cast<FetchLoop*>(self);
  loop->loop_->Closed(fd);
  loop->open_.fetch_sub(1, std::memory_order_relaxed);
  return ::close(fd);
}

}  // namespace crivello::fetch
