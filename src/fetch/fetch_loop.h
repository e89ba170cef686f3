// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/mutex.h"
#include "fetch/event_loop.h"
#include "fetch/transfer.h"

namespace crivello::fetch {

// One thread of a Fetcher: libcurl multi handles on an EventLoop.  The interface is Fetcher's, and
// thread-safe; all the rest happens on the loop's thread.
//
// Many multi handles, since libcurl keeps the connections of one in a table of 97 lists, walks through all of
// them for each one that it must close or finds closed, and asks the kernel about each once a second: at some
// thousand connections that is most of the time of a crawl.  An address has its place in one of them, so that
// limits by address hold.
class FetchLoop final : public EventLoop::Client {
 public:
  // `options` outlives the loop.
  static Result<std::unique_ptr<FetchLoop>> Open(const CurlFetcherOptions& options);
  ~FetchLoop() override;

  // Cancels what is in flight, delivers it and ends the thread.  What is submitted later is delivered at
  // once.
  void Shutdown();

  // Before the first Submit(), which makes it known to the loop's thread.
  void SetSink(FetchSink& sink) { sink_ = &sink; }
  void Submit(std::unique_ptr<Fetch> fetch);
  void Cancel(uint64_t id);
  void Abort();
  uint64_t in_flight() const { return in_flight_.load(std::memory_order_relaxed); }
  Fetcher::Stats stats() const;
  Duration Cpu() const { return loop_->Cpu(); }

 private:
  struct Inbox {
    std::vector<std::unique_ptr<Fetch>> fetches;
    std::vector<uint64_t> cancelled;
    bool empty() const { return fetches.empty() && cancelled.empty(); }
  };
  struct Note {
    std::string message;
    MonotonicTime until{};
  };

  // A multi handle as libcurl's callbacks know it.
  struct Multi {
    FetchLoop* loop = nullptr;
    CURLM* handle = nullptr;
    uint32_t index = 0;
  };

  FetchLoop(const CurlFetcherOptions& options, std::unique_ptr<EventLoop> loop);
  Status MakeMultis();

  void OnReady(int fd, unsigned events) override;
  void OnTurn() override;
  int NextTurnMs() override;
  void OnStop() override;

  void TakeInbox();
  void Start(std::unique_ptr<Fetch> fetch);
  void Run(Transfer& transfer);
  // Delivers what this multi handle is done with.
  void Collect(const Multi& multi);
  // libcurl is done with the present try: the next one, or delivery.
  void End(Transfer& transfer, CURLcode code);
  // Whether a new connection to this host would be one too many to keep.
  bool ToBeClosed(const Request& request) const;
  // `now` by the machine's clock, which says when to look again; the limits go by that of the options.
  void CheckLimits(MonotonicTime now);
  // Lets bodies that wait for room continue, if there is some; or at least the longest of them.
  void LetContinue();
  // Takes a running transfer out of libcurl and delivers its fetch.
  void Stop(Transfer& transfer, Outcome outcome, std::string message);
  void StopAll();
  // The fetch of a transfer that is out of libcurl goes to the sink, the transfer to the pool.
  void Deliver(std::unique_ptr<Transfer> transfer);
  // Delivers a fetch that was never tried.
  void Refuse(std::unique_ptr<Fetch> fetch, Outcome outcome, std::string message);
  void Give(std::unique_ptr<Fetch> fetch);
  std::unique_ptr<Transfer> Detach(Transfer& transfer);
  CURLSH* ShareFor(const web::Url& url);

  static int OnCurlSocket(CURL*, curl_socket_t fd, int what, void* self, void*);
  static int OnCurlTimer(CURLM*, long timeout_ms, void* self);
  static void OnOpened(void* self, curl_socket_t fd, const Request& request);
  static int OnClose(void* self, curl_socket_t fd);

  const CurlFetcherOptions& options_;
  FetchSink* sink_ = nullptr;
  uint32_t max_open_ = 1;
  std::vector<Multi> multis_;
  std::vector<MonotonicTime> timers_;  // libcurl's, of each multi handle; max(): none
  TransferSettings settings_;
  std::vector<std::unique_ptr<Transfer>> active_;  // in libcurl; each knows its index
  std::vector<std::unique_ptr<Transfer>> pool_;
  std::vector<CURLSH*> shares_;
  std::unordered_map<std::string, Note> notes_;  // by scheme, host and port
  MonotonicTime next_check_{};
  uint64_t arriving_ = 0;                   // bytes of the bodies of active_
  const Transfer* has_priority_ = nullptr;  // of active_: waits for no other
  // Of each socket, by number: its multi handle, and its host.
  struct Owner {
    uint32_t multi = 0;
    uint64_t host = 0;
  };
  Owner& OwnerOf(curl_socket_t fd);
  std::vector<Owner> owners_;
  std::unordered_map<uint64_t, uint32_t> open_by_host_;  // connections, by hash of the origin

  mutable Mutex mu_;
  Inbox inbox_ CRV_GUARDED_BY(mu_);
  bool closed_ CRV_GUARDED_BY(mu_) = false;  // the thread looks no more
  Inbox taken_;  // the loop's; swapped with inbox_, so that both keep their memory

  std::atomic<bool> aborted_ = false;
  // Counters only: read by other threads at any time, ordered with nothing.
  std::atomic<uint64_t> in_flight_ = 0;
  std::atomic<uint64_t> fetches_ = 0;
  std::atomic<uint64_t> connections_ = 0;
  std::atomic<uint64_t> open_ = 0;
  std::atomic<uint64_t> seen_arriving_ = 0;
  std::atomic<uint64_t> waiting_ = 0;
  std::atomic<uint64_t> received_bytes_ = 0;

  const std::unique_ptr<EventLoop> loop_;  // last: its thread uses all the others
};

}  // namespace crivello::fetch
