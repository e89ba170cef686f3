// SPDX-License-Identifier: Apache-2.0
// The client's CPU time for a page of 20 KB: the Fetcher, compared with a bare epoll client that does the
// minimum of HTTP.  1000 requests in flight, each to its own host and loopback address; the server is another
// process.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>

#include "base/process_usage.h"
#include "fetch/collector.h"
#include "fetch/scripted_server.h"

namespace crivello::fetch {
namespace {

constexpr int kHosts = 1000;
constexpr int kPages = 20'000;
constexpr size_t kBodyBytes = 20'000;

void AllowManyDescriptors() {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

// Answers everything that ends with an empty line; closes on request.  Never returns.
[[noreturn]] void Serve(int listener) {
  const std::string page = "HTTP/1.1 200 OK\r\nServer: bench\r\nContent-Type: text/html\r\nContent-Length: " +
                           std::to_string(kBodyBytes) + "\r\n\r\n" + std::string(kBodyBytes, 'x');
  const int epoll = ::epoll_create1(0);
  epoll_event event{.events = EPOLLIN, .data = {.fd = listener}};
  ::epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event);
  std::vector<epoll_event> events(1024);
  while (true) {
    const int ready = ::epoll_wait(epoll, events.data(), static_cast<int>(events.size()), -1);
    for (int i = 0; i < ready; i++) {
      const int fd = events[static_cast<size_t>(i)].data.fd;
      if (fd == listener) {
        const int accepted = ::accept(listener, nullptr, nullptr);
        if (accepted < 0) continue;
        const int on = 1;
        ::setsockopt(accepted, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        event.data.fd = accepted;
        ::epoll_ctl(epoll, EPOLL_CTL_ADD, accepted, &event);
        continue;
      }
      char bytes[8192];
      const ssize_t got = ::recv(fd, bytes, sizeof bytes, 0);
      // The requests of this benchmark arrive in one piece.
      if (got > 0) {
        const ssize_t sent = ::send(fd, page.data(), page.size(), MSG_NOSIGNAL);
        const std::string_view head(bytes, static_cast<size_t>(got));
        if (sent == static_cast<ssize_t>(page.size()) && head.find("Connection: close") == head.npos)
          continue;
      }
      ::close(fd);
    }
  }
}

// The port of the server, which the first call starts and which dies with this process.
uint16_t ServerPort() {
  static const uint16_t port = [] {
    AllowManyDescriptors();
    const auto [listener, number] = BindLoopback(SOCK_STREAM, "0.0.0.0");
    Require(::listen(listener, 4096) == 0, "listen");
    if (::fork() == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      Serve(listener);
    }
    ::close(listener);
    return number;
  }();
  return port;
}

IpAddress HostAddress(int host) { return IpAddress::FromIpv4(0x7f010000u + static_cast<uint32_t>(host)); }

// Submits each finished fetch again until enough pages have come.
class Repeater final : public FetchSink {
 public:
  void OnFetched(std::unique_ptr<Fetch> fetch) override {
    if (fetch->response.body.size() != kBodyBytes) failed++;
    const int done = ++done_;
    if (done + kHosts <= kPages) {
      fetcher->Submit(std::move(fetch));
    } else if (done == kPages) {
      const std::lock_guard lock(mu_);
      finished_ = true;
      changed_.notify_all();
    }
  }
  void Run(bool keep_alive) {
    done_ = 0;
    finished_ = false;
    for (int host = 0; host < kHosts; host++) {
      auto fetch = std::make_unique<Fetch>();
      Require(fetch->request.url.Parse("http://h" + std::to_string(host) +
                                       ".test:" + std::to_string(ServerPort()) + "/some/page.html"),
              "url");
      fetch->request.addresses = {HostAddress(host)};
      fetch->request.keep_alive = keep_alive;
      fetcher->Submit(std::move(fetch));
    }
    std::unique_lock lock(mu_);
    changed_.wait(lock, [&] { return finished_; });
  }
  Fetcher* fetcher = nullptr;
  std::atomic<int> failed = 0;

 private:
  std::atomic<int> done_ = 0;
  std::mutex mu_;
  std::condition_variable changed_;
  bool finished_ = false;
};

void Report(benchmark::State& state, double cpu_s) {
  const auto pages = static_cast<double>(state.iterations()) * kPages;
  state.counters["cpu_us_per_page"] = 1e6 * cpu_s / pages;
  state.SetItemsProcessed(static_cast<int64_t>(pages));
}

void RunOurs(benchmark::State& state, bool keep_alive) {
  ServerPort();
  Repeater repeater;
  auto fetcher = OpenCurlFetcher({.guard = AddressGuard::AllowingAll()});
  Require(fetcher.ok(), "fetcher");
  (*fetcher)->Start(repeater);
  repeater.fetcher = fetcher->get();
  repeater.Run(keep_alive);  // connections and memory are now allocated
  const double start = CpuSeconds();
  for (auto _ : state) repeater.Run(keep_alive);
  Report(state, CpuSeconds() - start);
  if (repeater.failed > 0) state.SkipWithError("pages failed");
}

// The baseline: connects, sends, and reads until the promised length has arrived.
void RunBare(benchmark::State& state, bool keep_alive) {
  const uint16_t port = ServerPort();
  struct Client {
    int fd = -1;
    size_t left = 0;  // 0: the head has not arrived yet
    std::string body;
  };
  std::vector<Client> clients(kHosts);
  const int epoll = ::epoll_create1(EPOLL_CLOEXEC);
  std::vector<char> buffer(64 << 10);
  std::vector<epoll_event> events(256);
  const auto start_one = [&](int host) {
    Client& client = clients[static_cast<size_t>(host)];
    client.left = 0;
    client.body.clear();
    if (client.fd < 0) {
      client.fd = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
      const sockaddr_in in = LoopbackAddress(HostAddress(host).ToString(), port);
      ::connect(client.fd, reinterpret_cast<const sockaddr*>(&in), sizeof in);
      epoll_event event{.events = EPOLLIN, .data = {.u32 = static_cast<uint32_t>(host)}};
      ::epoll_ctl(epoll, EPOLL_CTL_ADD, client.fd, &event);
    }
    const std::string request = "GET /some/page.html HTTP/1.1\r\nHost: h" + std::to_string(host) +
                                ".test\r\nUser-Agent: bare\r\nAccept: */*\r\n" +
                                (keep_alive ? "\r\n" : "Connection: close\r\n\r\n");
    // Loopback connects at once.
    Require(::send(client.fd, request.data(), request.size(), MSG_NOSIGNAL) > 0, "send");
  };
  const auto run = [&] {
    int started = kHosts, done = 0;
    for (int host = 0; host < kHosts; host++) start_one(host);
    while (done < kPages) {
      const int ready = ::epoll_wait(epoll, events.data(), static_cast<int>(events.size()), -1);
      for (int i = 0; i < ready; i++) {
        const auto host = static_cast<int>(events[static_cast<size_t>(i)].data.u32);
        Client& client = clients[static_cast<size_t>(host)];
        const ssize_t got = ::recv(client.fd, buffer.data(), buffer.size(), 0);
        Require(got > 0, "recv");
        std::string_view bytes(buffer.data(), static_cast<size_t>(got));
        if (client.left == 0) {
          const size_t end = bytes.find("\r\n\r\n");
          const size_t length = bytes.find("Content-Length: ");
          Require(end != bytes.npos && length < end, "head");
          client.left = static_cast<size_t>(std::atoi(bytes.data() + length + 16));
          bytes.remove_prefix(end + 4);
        }
        client.body.append(bytes);
        client.left -= bytes.size();
        if (client.left > 0) continue;
        done++;
        if (!keep_alive) {
          ::close(client.fd);
          client.fd = -1;
        }
        if (started < kPages) {
          started++;
          start_one(host);
        }
      }
    }
  };
  run();
  const double start = CpuSeconds();
  for (auto _ : state) run();
  Report(state, CpuSeconds() - start);
  for (const Client& client : clients) {
    if (client.fd >= 0) ::close(client.fd);
  }
  ::close(epoll);
}

BENCHMARK_CAPTURE(RunOurs, kept_alive, true)->Name("BM_Fetch_KeptAlive/ours")->UseRealTime();
BENCHMARK_CAPTURE(RunBare, kept_alive, true)->Name("BM_Fetch_KeptAlive/epoll")->UseRealTime();
BENCHMARK_CAPTURE(RunOurs, new_connection, false)->Name("BM_Fetch_NewConnection/ours")->UseRealTime();
BENCHMARK_CAPTURE(RunBare, new_connection, false)->Name("BM_Fetch_NewConnection/epoll")->UseRealTime();

}  // namespace
}  // namespace crivello::fetch
