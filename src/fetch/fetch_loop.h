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

// One thread of a Fetcher: libcurl multi handles on an EventLoop.  The interface is that of Fetcher, and
// thread-safe; everything else happens on the loop's thread.
//
// There are many multi handles, because libcurl keeps the connections of one in a table of 97 lists, walks
// through all of them whenever it must close one or finds one closed, and asks the kernel about each once a
// second.  At some thousand connections, that is most of the time of a crawl.  An address is always in the
// same one, so that limits per address hold.
class FetchLoop final : public EventLoop::Client {
 public:
  // `options` must outlive the loop.
  static Result<std::unique_ptr<FetchLoop>> Open(const CurlFetcherOptions& options);
  ~FetchLoop() override;

  // Cancels what is in flight, delivers it and ends the thread.  Later submissions are delivered at
  // once.
  void Shutdown();

  // Call before the first Submit(), which makes it visible to the loop's thread.
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

  // A multi handle, as passed to libcurl's callbacks.
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
  // Delivers the finished transfers of this multi handle.
  void Collect(const Multi& multi);
  // libcurl has finished the current try: starts the next one, or delivers.
  void End(Transfer& transfer, CURLcode code);
  // Whether a new connection to this host would exceed the number to keep.
  bool ToBeClosed(const Request& request) const;
  // `now` is system time, which determines the next check; the limits use the clock of the options.
  void CheckLimits(MonotonicTime now);
  // Lets waiting bodies continue if there is room; otherwise at least the longest of them.
  void LetContinue();
  // Removes a running transfer from libcurl and delivers its fetch.
  void Stop(Transfer& transfer, Outcome outcome, std::string message);
  void StopAll();
  // Passes the fetch of a transfer that is out of libcurl to the sink, and the transfer to the pool.
  void Deliver(std::unique_ptr<Transfer> transfer);
  // Delivers a fetch that was never attempted.
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
  std::vector<MonotonicTime> timers_;  // libcurl's timer of each multi handle; max(): none
  TransferSettings settings_;
  std::vector<std::unique_ptr<Transfer>> active_;  // in libcurl; each knows its index
  std::vector<std::unique_ptr<Transfer>> pool_;
  std::vector<CURLSH*> shares_;
  std::unordered_map<std::string, Note> notes_;  // by scheme, host and port
  MonotonicTime next_check_{};
  uint64_t arriving_ = 0;                   // bytes of the bodies of active_
  const Transfer* has_priority_ = nullptr;  // in active_: waits for no other
  // For each socket, by number: its multi handle, and its host.
  struct Owner {
    uint32_t multi = 0;
    uint64_t host = 0;
  };
  Owner& OwnerOf(curl_socket_t fd);
  std::vector<Owner> owners_;
  std::unordered_map<uint64_t, uint32_t> open_by_host_;  // number of connections, by hash of the origin

  mutable Mutex mu_;
  Inbox inbox_ CRV_GUARDED_BY(mu_);
  bool closed_ CRV_GUARDED_BY(mu_) = false;  // the thread checks it no more
  Inbox taken_;  // used by the loop; swapped with inbox_, so that both keep their memory

  std::atomic<bool> aborted_ = false;
  // Counters only: other threads read them at any time, without ordering.
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
