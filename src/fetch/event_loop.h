// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/status.h"

namespace crivello::fetch {

// A thread that waits for sockets, timers and wake-ups, and notifies its one client.  Level-triggered epoll.
//
// Changes of interest reach the kernel only before the next wait, and a socket with no interest stays
// registered until it has an event.  So a kept-alive connection passes from one transfer to the next without
// a system call.
//
// Wake() is thread-safe; Watch() and Closed() may only be called on the loop's thread, that is, from the
// client's methods.
class EventLoop {
 public:
  static constexpr unsigned kRead = 1;
  static constexpr unsigned kWrite = 2;
  static constexpr unsigned kError = 4;  // reported in any case

  class Client {
   public:
    virtual ~Client() = default;
    virtual void OnReady(int fd, unsigned events) = 0;
    // Called after each wait, whatever ended it: check the clock and work left by other threads.
    virtual void OnTurn() = 0;
    // Milliseconds until OnTurn is needed again; -1: not before something happens; 0: at once.  Called before
    // each wait.
    virtual int NextTurnMs() = 0;
    // The loop was stopped and makes no more calls.  Still on its thread.
    virtual void OnStop() = 0;
  };

  static Result<std::unique_ptr<EventLoop>> Open();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;
  ~EventLoop();

  // Starts the thread.  Call once.  IoError if the system cannot create one.
  Status Start(Client* client);
  // Ends the loop after this turn, and waits until it has ended.
  void Stop();

  // CPU time of the thread so far; zero after it ended.  Do not call during Start() or Stop().
  Duration Cpu();

  // Makes the loop call OnTurn soon.  NextTurnMs or OnTurn sees what the thread did before this call.
  void Wake();

  // The events (kRead, kWrite) to watch for on a socket; 0: none.
  void Watch(int fd, unsigned events);
  // The socket is closed, or about to be: forgets it before its number is reused.
  void Closed(int fd);

 private:
  struct Socket {
    uint32_t generation = 0;  // distinguishes a late event from one of the next socket with this number
    uint8_t wanted = 0;
    uint8_t installed = 0;  // as known to the kernel; 0: not registered
    bool changed = false;   // is in changed_
  };

  EventLoop(int epoll, int wake) : epoll_(epoll), wake_(wake) {}
  void Run();
  void Install();
  Socket& At(int fd);

  const int epoll_;
  const int wake_;  // an eventfd
  Client* client_ = nullptr;
  std::vector<Socket> sockets_;  // by number
  std::vector<int> changed_;
  // True while the thread waits or is about to, so that Wake() writes only then.  The loop sets it and then
  // calls NextTurnMs(); a thread queues its work and then calls Wake().  Both are sequentially consistent, so
  // either the loop sees the work or the thread sees the flag.
  std::atomic<bool> asleep_ = false;
  std::atomic<bool> stopped_ = false;
  std::thread thread_;
};

}  // namespace crivello::fetch
