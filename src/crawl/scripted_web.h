// SPDX-License-Identifier: Apache-2.0
// A web without sockets, for tests of the crawl; included by _test.cc files only.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/wakeup.h"
#include "crawl/crawler.h"

namespace crivello::crawl {

// An HTML page with these links, which are its text too, after `text`.
inline std::string Html(const std::vector<std::string>& links, const std::string& text = "Some words.") {
  std::string html =
      "<!DOCTYPE html><html><head><title>" + text.substr(0, 20) + "</title></head><body><p>" + text;
  for (const std::string& link : links) html += "</p><p><a href=\"" + link + "\">to " + link + "</a>";
  return html + "</p></body></html>";
}

// What a server answers to one request, or how it fails to.
struct Answer {
  int status = 200;
  std::string body = {};
  std::vector<std::pair<std::string, std::string>> fields = {};  // Content-Type is HTML unless it is here
  Duration latency = std::chrono::milliseconds(100);             // from the request to the last byte
  fetch::Outcome outcome = fetch::Outcome::kOk;                  // if it is not kOk there is no answer
};
inline Answer Fault(fetch::Outcome outcome, Duration latency = std::chrono::seconds(1)) {
  return {.status = 0, .latency = latency, .outcome = outcome};
}
inline Answer RedirectTo(const std::string& url, int status = 301) {
  return {.status = status, .fields = {{"Location", url}}};
}
inline Answer PlainText(const std::string& body) {
  return {.body = body, .fields = {{"Content-Type", "text/plain"}}};
}

// Makes the response to a request that is made now.
inline void FillResponse(const Answer& answer, const Clock& clock, fetch::Fetch& fetch) {
  fetch::Response& response = fetch.response;
  response.Clear();
  response.outcome = answer.outcome;
  response.timings = {.start = clock.Wall(),
                      .start_monotonic = clock.Now(),
                      .connected = {},
                      .encrypted = {},
                      .first_byte = {},
                      .end = answer.latency};
  response.request_head = fmt::format("GET {} HTTP/1.1\r\nHost: {}\r\n\r\n",
                                      fetch.request.url.path_and_query(), fetch.request.url.host());
  if (!fetch.request.addresses.empty()) response.remote = fetch.request.addresses[0];
  if (answer.outcome != fetch::Outcome::kOk) {
    response.message = "as the script says";
    return;
  }
  response.status = answer.status;
  response.http_version = 11;
  response.head = fmt::format("HTTP/1.1 {} As Scripted\r\n", answer.status);
  bool typed = false;
  for (const auto& [name, value] : answer.fields) {
    response.head += name + ": " + value + "\r\n";
    typed = typed || name == "Content-Type";
  }
  if (!typed) response.head += "Content-Type: text/html; charset=utf-8\r\n";
  response.head += "\r\n";
  response.body = answer.body;
  response.received_bytes = response.head.size() + response.body.size();
}

// A clock that knows when a thread really waits on it: nothing has woken the thread since, and its time has
// not come.
class ScriptedClock final : public ManualClock {
 public:
  using ManualClock::ManualClock;

  void Wait(Wakeup& wakeup, MonotonicTime until) const override {
    const uint64_t notices = wakeup.notices();
    if (wakeup.TryWait() || until <= Now()) return;
    {
      const std::lock_guard lock(mu_);
      ++waits_;
      waiter_ = {&wakeup, notices, until};
      changed_.notify_all();
    }
    ManualClock::Wait(wakeup, until);
    const std::lock_guard lock(mu_);
    waiter_ = {};
  }

  // Returns the number of waits once it is more than `seen`; nothing after End().
  std::optional<uint64_t> AwaitWait(uint64_t seen) const {
    std::unique_lock lock(mu_);
    const bool news =
        changed_.wait_for(lock, std::chrono::minutes(2), [&] { return ended_ || waits_ > seen; });
    if (!news) {
      std::fputs("the crawl has neither waited nor ended for two minutes\n", stderr);
      std::abort();
    }
    return ended_ ? std::nullopt : std::optional<uint64_t>(waits_);
  }
  // The same, if it becomes so within `limit` of the machine's time.
  std::optional<uint64_t> AwaitWaitFor(uint64_t seen, Duration limit) const {
    std::unique_lock lock(mu_);
    const bool news = changed_.wait_for(lock, limit, [&] { return waits_ > seen; });
    return news ? std::optional<uint64_t>(waits_) : std::nullopt;
  }
  // Until when the thread of this wait will sleep; nothing if it is awake or about to wake.
  std::optional<MonotonicTime> Asleep(uint64_t wait) const {
    const std::lock_guard lock(mu_);
    if (waits_ != wait || waiter_.wakeup == nullptr || waiter_.wakeup->notices() != waiter_.notices)
      return {};
    return waiter_.until;
  }
  void Begin() {
    const std::lock_guard lock(mu_);
    ended_ = false;
  }
  void End() {
    const std::lock_guard lock(mu_);
    ended_ = true;
    changed_.notify_all();
  }

 private:
  struct Waiter {
    Wakeup* wakeup = nullptr;
    uint64_t notices = 0;
    MonotonicTime until{};
  };
  mutable std::mutex mu_;
  mutable std::condition_variable changed_;
  mutable uint64_t waits_ = 0;
  mutable Waiter waiter_;
  bool ended_ = false;
};

// A table of what servers answer, a record of what they were asked, and the time in which all of it happens.
// Time moves only when no thread of the crawl has anything to do, so a week of waiting takes seconds, and
// each run makes the same requests to a host in the same order.  Their times are the same, too, except that
// links may reach their queues one look of the scheduler later (0.1 s), because workers run in threads of
// their own.
//
// Host names without a URL in the table do not exist.  Other URLs of known hosts answer 404, also robots.txt.
// Thread-safe, except for the functions that set it up.
class ScriptedWeb {
 public:
  struct Request {
    std::string url = {};
    std::string address = {};
    MonotonicTime time{};  // when it was made
    MonotonicTime end{};   // when its answer was there
    std::map<std::string, std::string> fields = {};
  };

  // The answers of a URL, one after the other; the last one stays.
  void Set(const std::string& url, std::vector<Answer> answers) {
    web::Url parsed;
    if (!parsed.Parse(url)) std::abort();
    pages_[parsed.href()] = {.answers = std::move(answers)};
    const std::string host(parsed.hostname());
    if (!addresses_.contains(host)) addresses_[host] = AddressOf(addresses_.size() + 1);
  }
  void Set(const std::string& url, Answer answer) { Set(url, std::vector<Answer>{std::move(answer)}); }
  void Set(const std::string& url, std::string body) { Set(url, Answer{.body = std::move(body)}); }
  void SetAddress(const std::string& host, const std::string& address) { addresses_[host] = address; }
  // Lets the first `times` lookups of the name fail.
  void FailToResolve(const std::string& host, int times) { unresolved_[host] = times; }
  // Called when the URL is requested, on the scheduler's thread.
  void On(const std::string& url, std::function<void()> then) { then_[url] = std::move(then); }

  // Called when the clock reaches that moment, on the thread that moves it.
  void At(MonotonicTime time, std::function<void()> then) { at_.emplace(time, std::move(then)); }
  // Keeps no record of requests, for crawls that make very many.
  void KeepNoRequests() { keeps_requests_ = false; }
  // Moves the time also while pages are being read or committed, for tests that hold these up.
  void WaitForNoPage() { waits_for_pages_ = false; }

  // Lets time pass while no crawl runs.
  void Pass(Duration time) { clock_.Advance(time); }

  const ScriptedClock& clock() const { return clock_; }
  CrawlParts Parts();

  // Runs the crawl, moving the time, until it has ended.
  Result<CrawlEnd> Run(Crawler& crawler) {
    Result<CrawlEnd> end = CrawlEnd{};
    clock_.Begin();
    std::thread running([&] {
      end = crawler.Run();
      clock_.End();
    });
    uint64_t steps = 0;
    for (std::optional<uint64_t> wait = clock_.AwaitWait(0); wait; wait = clock_.AwaitWait(*wait)) {
      StepIfAsleep(crawler, *wait);
      if (++steps == kMaxSteps) crawler.Stop(/*at_once=*/true);
    }
    running.join();
    return steps < kMaxSteps ? end : Status::Unavailable("the crawl came to no end");
  }
  // Moves the time of a crawl that another thread runs, until `done`.  Whether that came within two minutes.
  bool Drive(const Crawler& crawler, const std::function<bool()>& done) {
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::minutes(2);
    uint64_t seen = 0;
    while (!done()) {
      if (std::chrono::steady_clock::now() > give_up) return false;
      const auto wait = clock_.AwaitWaitFor(seen, std::chrono::milliseconds(20));
      if (!wait) continue;  // it is busy, or has ended
      seen = *wait;
      StepIfAsleep(crawler, seen);
    }
    return true;
  }

  std::vector<Request> requests() const {
    const std::lock_guard lock(mu_);
    return requests_;
  }
  // Their URLs, without those of robots.txt.
  std::vector<std::string> pages() const {
    std::vector<std::string> urls;
    for (const Request& request : requests()) {
      if (!request.url.ends_with("/robots.txt")) urls.push_back(request.url);
    }
    return urls;
  }
  std::vector<Request> RequestsFor(const std::string& url) const {
    std::vector<Request> all = requests();
    std::erase_if(all, [&](const Request& request) { return request.url != url; });
    return all;
  }
  uint64_t lookups(const std::string& host) const {
    const std::lock_guard lock(mu_);
    const auto found = lookups_.find(host);
    return found == lookups_.end() ? 0 : found->second;
  }
  uint64_t in_flight() const {
    const std::lock_guard lock(mu_);
    return flying_.size();
  }

 private:
  class WebFetcher;
  class WebResolver;
  struct Page {
    std::vector<Answer> answers;
    size_t next = 0;
  };
  struct Flying {
    MonotonicTime due{};
    std::unique_ptr<fetch::Fetch> fetch = {};
    fetch::FetchSink* sink = nullptr;
  };
  static constexpr uint64_t kMaxSteps = 20'000'000;

  // One for each host: 192.0.2.1 to 192.0.2.255, then 192.1.0.0 and what follows it.
  static std::string AddressOf(size_t host) {
    if (host < 256) return fmt::format("192.0.2.{}", host);
    if (host >> 16 >= 255) std::abort();
    return fmt::format("192.{}.{}.{}", 1 + (host >> 16), host >> 8 & 255, host & 255);
  }

  Answer Next(const std::string& url) {
    const auto page = pages_.find(url);
    if (page == pages_.end()) return {.status = 404, .body = "not found"};
    Page& script = page->second;
    return script.answers[std::min(script.next++, script.answers.size() - 1)];
  }

  void StepIfAsleep(const Crawler& crawler, uint64_t wait) {
    // A worker or the committer still has a page, and wakes the scheduler when it is done.
    if (waits_for_pages_ && crawler.stats().under_way > in_flight()) return;
    if (const auto until = clock_.Asleep(wait)) Step(*until);
  }

  // Moves to the next time at which something happens: an answer arrives, or the scheduler wakes.
  void Step(MonotonicTime until) {
    MonotonicTime due = MonotonicTime::max();
    {
      const std::lock_guard lock(mu_);
      for (const Flying& flying : flying_) due = std::min(due, flying.due);
    }
    const MonotonicTime next = std::min(due, until);
    while (!at_.empty() && at_.begin()->first <= next) {
      const auto event = at_.extract(at_.begin());
      MoveTo(event.key());
      event.mapped()();
    }
    MoveTo(next);
    if (until <= next) return;  // it woke
    Flying arrived;
    {
      const std::lock_guard lock(mu_);
      const auto first = std::min_element(flying_.begin(), flying_.end(),
                                          [](const Flying& a, const Flying& b) { return a.due < b.due; });
      arrived = std::move(*first);
      flying_.erase(first);
    }
    arrived.sink->OnFetched(std::move(arrived.fetch));
  }

  void MoveTo(MonotonicTime time) {
    if (time > clock_.Now()) clock_.Advance(time - clock_.Now());
  }

  void Submit(std::unique_ptr<fetch::Fetch> fetch, fetch::FetchSink* sink) {
    const std::string url = fetch->request.url.href();
    std::function<void()> then;
    {
      const std::lock_guard lock(mu_);
      const Answer answer = Next(url);
      const MonotonicTime now = clock_.Now();
      Request request = {.url = url, .time = now, .end = now + answer.latency};
      if (!fetch->request.addresses.empty()) request.address = fetch->request.addresses[0].ToString();
      for (const fetch::RequestField& field : fetch->request.fields) request.fields[field.name] = field.value;
      if (keeps_requests_) requests_.push_back(std::move(request));
      FillResponse(answer, clock_, *fetch);
      flying_.push_back({now + answer.latency, std::move(fetch), sink});
      if (const auto found = then_.find(url); found != then_.end()) then = found->second;
    }
    if (then) then();
  }

  // Cancels everything in flight now.
  void Abort() {
    const std::lock_guard lock(mu_);
    for (Flying& flying : flying_) End(flying);
  }
  void End(Flying& flying) {
    flying.due = clock_.Now();
    flying.fetch->response.Clear();
    flying.fetch->response.outcome = fetch::Outcome::kCancelled;
  }
  // Delivered before it returns, so that no time passes.
  void Cancel(uint64_t id) {
    Flying cancelled;
    {
      const std::lock_guard lock(mu_);
      const auto found = std::find_if(flying_.begin(), flying_.end(),
                                      [id](const Flying& flying) { return flying.fetch->id == id; });
      if (found == flying_.end()) return;
      End(*found);
      cancelled = std::move(*found);
      flying_.erase(found);
    }
    cancelled.sink->OnFetched(std::move(cancelled.fetch));
  }

  fetch::ResolutionPtr Resolve(const std::string& host) {
    const std::lock_guard lock(mu_);
    ++lookups_[host];
    auto answer = std::make_shared<fetch::Resolution>();
    answer->message = "as the script says";
    if (const auto left = unresolved_.find(host); left != unresolved_.end() && left->second-- > 0)
      return answer;
    const auto address = addresses_.find(host);
    answer->outcome = address == addresses_.end() ? fetch::Resolution::Outcome::kNoName
                                                  : fetch::Resolution::Outcome::kFound;
    if (address != addresses_.end()) answer->addresses = {fetch::IpAddress::Parse(address->second).value()};
    answer->expires = clock_.Now() + std::chrono::hours(1);
    return answer;
  }

  ScriptedClock clock_{WallTime(std::chrono::hours(24 * 365 * 56))};
  std::multimap<MonotonicTime, std::function<void()>> at_;  // of the thread that moves the time
  bool waits_for_pages_ = true;
  bool keeps_requests_ = true;
  mutable std::mutex mu_;
  std::map<std::string, Page> pages_;
  std::map<std::string, std::string> addresses_;
  std::map<std::string, int> unresolved_;
  std::map<std::string, std::function<void()>> then_;
  std::map<std::string, uint64_t> lookups_;
  std::vector<Request> requests_;
  std::vector<Flying> flying_;  // in the order of their submission
};

class ScriptedWeb::WebFetcher final : public fetch::Fetcher {
 public:
  explicit WebFetcher(ScriptedWeb& web) : web_(web) {}
  void Start(fetch::FetchSink& sink) override { sink_ = &sink; }
  void Submit(std::unique_ptr<fetch::Fetch> fetch) override { web_.Submit(std::move(fetch), sink_); }
  void Cancel(uint64_t id) override { web_.Cancel(id); }
  void Abort() override { web_.Abort(); }
  uint64_t in_flight() const override { return web_.in_flight(); }
  Stats stats() const override { return {}; }
  Duration Cpu() const override { return {}; }

 private:
  ScriptedWeb& web_;
  fetch::FetchSink* sink_ = nullptr;
};

class ScriptedWeb::WebResolver final : public fetch::Resolver {
 public:
  explicit WebResolver(ScriptedWeb& web) : web_(web) {}
  void Resolve(std::string_view host, Callback callback) override {
    callback(web_.Resolve(std::string(host)));
  }
  Stats stats() const override { return {}; }

 private:
  ScriptedWeb& web_;
};

inline CrawlParts ScriptedWeb::Parts() {
  return {.fetcher = std::make_unique<WebFetcher>(*this),
          .resolver = std::make_unique<WebResolver>(*this),
          .clock = &clock_};
}

}  // namespace crivello::crawl
