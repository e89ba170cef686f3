// SPDX-License-Identifier: Apache-2.0
#include "fetch/cares_resolver.h"

#include <ares.h>
#include <fmt/format.h>
#include <netdb.h>
#include <sys/socket.h>

#include <algorithm>
#include <deque>
#include <list>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/hash.h"
#include "base/mutex.h"
#include "fetch/event_loop.h"

namespace crivello::fetch {
namespace {

struct NameHash {
  using is_transparent = void;
  size_t operator()(std::string_view name) const { return static_cast<size_t>(Hash64(name)); }
};
template <typename T>
using NameMap = std::unordered_map<std::string, T, NameHash, std::equal_to<>>;

Status InitialiseAres() {
  static const int code = ares_library_init(ARES_LIB_INIT_ALL);
  if (code != ARES_SUCCESS) return Status::Unavailable(std::string("c-ares: ") + ares_strerror(code));
  return Status::Ok();
}

// Whether it is a valid DNS name: labels of 1 to 63 bytes, 253 in total (RFC 1035, section 2.3.4).
bool IsDnsName(std::string_view name) {
  if (name.empty() || name.size() > 253) return false;
  size_t label = 0;
  for (const char c : name) {
    if (c != '.') {
      if (++label > 63) return false;
    } else {
      if (label == 0) return false;
      label = 0;
    }
  }
  return label > 0;
}

std::string_view WithoutFinalDot(std::string_view host) {
  if (host.size() > 1 && host.ends_with('.')) host.remove_suffix(1);
  return host;
}

ResolutionPtr MakeAnswer(Resolution::Outcome outcome, std::string message) {
  auto answer = std::make_shared<Resolution>();
  answer->outcome = outcome;
  answer->message = std::move(message);
  return answer;
}

class DnsResolver final : public Resolver, private EventLoop::Client {
 public:
  DnsResolver(CaresResolverOptions options, std::unique_ptr<EventLoop> loop)
      : options_(std::move(options)), loop_(std::move(loop)) {}
  ~DnsResolver() override {
    loop_->Stop();
    if (channel_ != nullptr) ares_destroy(channel_);
  }

  Status Start();
  void Resolve(std::string_view host, Callback callback) override CRV_EXCLUDES(mu_);
  Stats stats() const override CRV_EXCLUDES(mu_);

 private:
  // The cached answer, or null.
  ResolutionPtr Known(std::string_view host) CRV_EXCLUDES(mu_);

  struct Entry {
    ResolutionPtr answer;
    std::list<std::string>::iterator recent;
  };
  struct Query {
    DnsResolver* resolver;
    std::string host;
  };

  void OnReady(int fd, unsigned events) override;
  void OnTurn() override;
  int NextTurnMs() override;
  void OnStop() override;

  // The next name in line, if another query is allowed.
  std::optional<std::string> TakeNext() CRV_EXCLUDES(mu_);
  void Ask(std::string host);
  static void OnAnswer(void* query, int status, int timeouts, ares_addrinfo* info);
  static void OnSocketState(void* self, ares_socket_t fd, int readable, int writable);
  ResolutionPtr Read(std::string_view host, int status, const ares_addrinfo* info) const;
  // Caches the answer and passes it to everyone who waits for it.
  void Tell(const std::string& host, const ResolutionPtr& answer) CRV_EXCLUDES(mu_);
  ResolutionPtr KnownLocked(std::string_view host) CRV_REQUIRES(mu_);
  void KeepLocked(const std::string& host, const ResolutionPtr& answer) CRV_REQUIRES(mu_);

  const CaresResolverOptions options_;
  NameMap<ResolutionPtr> hosts_;    // constant after the start
  ares_channel channel_ = nullptr;  // used by the loop
  uint32_t asking_ = 0;             // used by the loop

  mutable Mutex mu_;
  NameMap<Entry> cache_ CRV_GUARDED_BY(mu_);
  std::list<std::string> recent_ CRV_GUARDED_BY(mu_);  // the names of cache_, the most recently used first
  NameMap<std::vector<Callback>> waiting_ CRV_GUARDED_BY(mu_);
  std::deque<std::string> line_ CRV_GUARDED_BY(mu_);  // those of waiting_ that were not yet asked for
  bool closed_ CRV_GUARDED_BY(mu_) = false;           // the thread checks it no more
  Stats stats_ CRV_GUARDED_BY(mu_);

  const std::unique_ptr<EventLoop> loop_;  // last: its thread uses all the others
};

Status DnsResolver::Start() {
  for (const HostsEntry& entry : options_.hosts) {
    ResolutionPtr& known = hosts_[std::string(WithoutFinalDot(entry.name))];
    auto answer = known == nullptr ? std::make_shared<Resolution>() : std::make_shared<Resolution>(*known);
    answer->outcome = Resolution::Outcome::kFound;
    answer->addresses.push_back(entry.address);
    answer->expires = MonotonicTime::max();
    answer->from_hosts_file = true;
    known = std::move(answer);
  }

  char dns_only[] = "b";
  ares_options options{};
  options.flags = ARES_FLAG_NOSEARCH | ARES_FLAG_NOALIASES;
  options.timeout =
      static_cast<int>(std::chrono::duration_cast<std::chrono::milliseconds>(options_.timeout).count());
  options.tries = options_.tries;
  options.lookups = dns_only;
  options.sock_state_cb = &DnsResolver::OnSocketState;
  options.sock_state_cb_data = this;
  int code = ares_init_options(
      &channel_, &options,
      ARES_OPT_FLAGS | ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES | ARES_OPT_LOOKUPS | ARES_OPT_SOCK_STATE_CB);
  if (code != ARES_SUCCESS) {
    channel_ = nullptr;
    return Status::IoError(std::string("setting up DNS: ") + ares_strerror(code));
  }
  if (!options_.servers.empty()) {
    std::string servers;
    for (const std::string& server : options_.servers) servers += (servers.empty() ? "" : ",") + server;
    code = ares_set_servers_ports_csv(channel_, servers.c_str());
    if (code != ARES_SUCCESS) return Status::InvalidArgument("no DNS servers: " + servers);
  }
  return loop_->Start(this);
}

ResolutionPtr DnsResolver::KnownLocked(std::string_view host) {
  const auto found = cache_.find(host);
  if (found == cache_.end()) return nullptr;
  if (found->second.answer->expires <= options_.clock->Now()) return nullptr;
  recent_.splice(recent_.begin(), recent_, found->second.recent);
  return found->second.answer;
}

ResolutionPtr DnsResolver::Known(std::string_view host) {
  if (const auto literal = IpAddress::Parse(host)) {
    auto answer = std::make_shared<Resolution>();
    answer->outcome = Resolution::Outcome::kFound;
    answer->addresses = {*literal};
    answer->expires = MonotonicTime::max();
    return answer;
  }
  host = WithoutFinalDot(host);
  const auto in_hosts = hosts_.find(host);
  if (in_hosts != hosts_.end()) return in_hosts->second;
  if (!IsDnsName(host)) {
    return MakeAnswer(Resolution::Outcome::kNoName, fmt::format("no name that DNS could hold: {}", host));
  }
  MutexLock lock(mu_);
  return KnownLocked(host);
}

void DnsResolver::Resolve(std::string_view host, Callback callback) {
  ResolutionPtr answer = Known(host);
  {
    MutexLock lock(mu_);
    stats_.lookups++;
    host = WithoutFinalDot(host);
    // Check again: the answer may have arrived meanwhile, and then nobody else would deliver it.
    if (answer == nullptr) answer = KnownLocked(host);
    if (answer == nullptr && closed_)
      answer = MakeAnswer(Resolution::Outcome::kFailed, "the resolver is closing");
    if (answer == nullptr) {
      const auto found = waiting_.find(host);
      if (found != waiting_.end()) {
        found->second.push_back(std::move(callback));
        return;
      }
      waiting_.emplace(host, 0).first->second.push_back(std::move(callback));
      line_.emplace_back(host);
    }
  }
  if (answer != nullptr) return callback(answer);
  loop_->Wake();
}

Resolver::Stats DnsResolver::stats() const {
  MutexLock lock(mu_);
  Stats stats = stats_;
  stats.waiting = waiting_.size();
  stats.entries = cache_.size();
  return stats;
}

int DnsResolver::NextTurnMs() {
  if (asking_ < options_.max_queries) {
    MutexLock lock(mu_);
    if (!line_.empty()) return 0;
  }
  if (asking_ == 0) return -1;
  timeval buffer{};
  const timeval* next = ares_timeout(channel_, nullptr, &buffer);
  if (next == nullptr) return -1;
  return static_cast<int>(std::min<int64_t>(1000, next->tv_sec * int64_t{1000} + next->tv_usec / 1000 + 1));
}

void DnsResolver::OnReady(int fd, unsigned events) {
  const bool write_only = events == EventLoop::kWrite;
  const bool write = (events & EventLoop::kWrite) != 0;
  ares_process_fd(channel_, write_only ? ARES_SOCKET_BAD : fd, write ? fd : ARES_SOCKET_BAD);
}

void DnsResolver::OnTurn() {
  if (asking_ > 0) ares_process_fd(channel_, ARES_SOCKET_BAD, ARES_SOCKET_BAD);  // handles timeouts
  while (auto host = TakeNext()) Ask(*std::move(host));
}

std::optional<std::string> DnsResolver::TakeNext() {
  if (asking_ >= options_.max_queries) return std::nullopt;
  MutexLock lock(mu_);
  if (line_.empty()) return std::nullopt;
  std::string host = std::move(line_.front());
  line_.pop_front();
  stats_.asked++;
  return host;
}

void DnsResolver::OnStop() {
  ares_cancel(channel_);  // ends all queries with an answer
  while (true) {
    std::optional<std::string> host;
    {
      MutexLock lock(mu_);
      closed_ = line_.empty();
      if (closed_) return;
      host = std::move(line_.front());
      line_.pop_front();
    }
    Tell(*host, MakeAnswer(Resolution::Outcome::kFailed, "the resolver is closing"));
  }
}

void DnsResolver::Ask(std::string host) {
  asking_++;
  ares_addrinfo_hints hints{};
  hints.ai_flags = ARES_AI_NOSORT;
  hints.ai_family = options_.ipv4 && options_.ipv6 ? AF_UNSPEC : options_.ipv6 ? AF_INET6 : AF_INET;
  hints.ai_socktype = SOCK_STREAM;
  auto* query = new Query{this, std::move(host)};  // OnAnswer, which is called once, owns it
  ares_getaddrinfo(channel_, query->host.c_str(), nullptr, &hints, &DnsResolver::OnAnswer, query);
}

void DnsResolver::OnAnswer(void* context, int status, int, ares_addrinfo* info) {
  const std::unique_ptr<Query> query(static_cast<Query*>(context));
  DnsResolver& resolver = *query->resolver;
  const ResolutionPtr answer = resolver.Read(query->host, status, info);
  if (info != nullptr) ares_freeaddrinfo(info);
  resolver.asking_--;
  resolver.Tell(query->host, answer);
}

ResolutionPtr DnsResolver::Read(std::string_view host, int status, const ares_addrinfo* info) const {
  auto answer = std::make_shared<Resolution>();
  const MonotonicTime now = options_.clock->Now();
  if (status == ARES_SUCCESS && info != nullptr) {
    Duration ttl = options_.max_ttl;
    const auto lower = [&](int seconds) { ttl = std::min(ttl, Duration(std::chrono::seconds(seconds))); };
    for (const ares_addrinfo_cname* name = info->cnames; name != nullptr; name = name->next) lower(name->ttl);
    for (const ares_addrinfo_node* node = info->nodes; node != nullptr; node = node->ai_next) {
      lower(node->ai_ttl);
      const auto address = IpAddress::FromSockaddr(node->ai_addr);
      if (address) answer->addresses.push_back(*address);
    }
    std::stable_partition(answer->addresses.begin(), answer->addresses.end(),
                          [](const IpAddress& address) { return address.is_ipv4(); });
    answer->expires = now + std::max(ttl, options_.min_ttl);
  }
  if (!answer->addresses.empty()) {
    answer->outcome = Resolution::Outcome::kFound;
    return answer;
  }
  switch (status) {
    case ARES_ENOTFOUND:
    case ARES_EBADNAME:
      answer->outcome = Resolution::Outcome::kNoName;
      answer->expires = now + options_.negative_ttl;
      break;
    case ARES_SUCCESS:
    case ARES_ENODATA:
      answer->outcome = Resolution::Outcome::kNoAddress;
      answer->expires = now + options_.negative_ttl;
      status = ARES_ENODATA;
      break;
    default:
      answer->outcome = Resolution::Outcome::kFailed;
      answer->expires = now + options_.failure_ttl;
  }
  answer->message = fmt::format("{}: {}", host, ares_strerror(status));
  return answer;
}

void DnsResolver::Tell(const std::string& host, const ResolutionPtr& answer) {
  std::vector<Callback> callbacks;
  {
    MutexLock lock(mu_);
    if (answer->outcome == Resolution::Outcome::kFailed) stats_.failed++;
    KeepLocked(host, answer);
    const auto found = waiting_.find(host);
    if (found != waiting_.end()) {
      callbacks = std::move(found->second);
      waiting_.erase(found);
    }
  }
  for (const Callback& callback : callbacks) callback(answer);
}

void DnsResolver::KeepLocked(const std::string& host, const ResolutionPtr& answer) {
  const auto [entry, added] = cache_.try_emplace(host);
  entry->second.answer = answer;
  if (added) {
    entry->second.recent = recent_.insert(recent_.begin(), host);
  } else {
    recent_.splice(recent_.begin(), recent_, entry->second.recent);
  }
  if (cache_.size() > options_.cache_entries) {
    cache_.erase(recent_.back());
    recent_.pop_back();
  }
}

void DnsResolver::OnSocketState(void* self, ares_socket_t fd, int readable, int writable) {
  EventLoop& loop = *static_cast<DnsResolver*>(self)->loop_;
  if (readable == 0 && writable == 0) {
    loop.Closed(fd);
  } else {
    loop.Watch(fd, (readable != 0 ? EventLoop::kRead : 0) | (writable != 0 ? EventLoop::kWrite : 0));
  }
}

}  // namespace

Result<std::unique_ptr<Resolver>> OpenCaresResolver(CaresResolverOptions options) {
  CRV_TRY(InitialiseAres());
  if (!options.ipv4 && !options.ipv6) return Status::InvalidArgument("the resolver needs IPv4 or IPv6");
  CRV_ASSIGN(std::unique_ptr<EventLoop> loop, EventLoop::Open());
  auto resolver = std::make_unique<DnsResolver>(std::move(options), std::move(loop));
  CRV_TRY(resolver->Start());
  return std::unique_ptr<Resolver>(std::move(resolver));
}

}  // namespace crivello::fetch
