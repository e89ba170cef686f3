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

// A thread that waits for sockets, a time and a wake, and tells its one client.  Level-triggered epoll.
//
// Changes of interest are noted and told to the kernel only before the next wait, and a socket of which
// nothing is wanted stays as it is until it has news: a kept-alive connection goes from one transfer to the
// next without a system call for it.
//
// Wake() is thread-safe; Watch() and Closed() are for the loop's thread, that is, for calls from the client's
// methods.
class EventLoop {
 public:
  static constexpr unsigned kRead = 1;
  static constexpr unsigned kWrite = 2;
  static constexpr unsigned kError = 4;  // reported unasked

  class Client {
   public:
    virtual ~Client() = default;
    virtual void OnReady(int fd, unsigned events) = 0;
    // After each wait, whatever ended it: look at the clock and at what other threads have left.
    virtual void OnTurn() = 0;
    // Milliseconds until OnTurn is wanted again; -1: not before something happens.  Called before each wait;
    // 0 if there is something to do at once.
    virtual int NextTurnMs() = 0;
    // The loop has been stopped and will call no more.  Still on its thread.
    virtual void OnStop() = 0;
  };

  static Result<std::unique_ptr<EventLoop>> Open();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;
  ~EventLoop();

  // Starts the thread.  Called once.  IoError if the system gives none.
  Status Start(Client* client);
  // Lets the loop end after this turn, and waits for that.
  void Stop();

  // CPU time of the thread so far; zero once it has ended.  Not while Start() or Stop() run.
  Duration Cpu();

  // Has OnTurn called soon.  What a thread does before this call, NextTurnMs or OnTurn sees.
  void Wake();

  // Which events (kRead, kWrite) are wanted of a socket; 0: none.
  void Watch(int fd, unsigned events);
  // The socket is closed, or about to be: forgets it before its number is given to another.
  void Closed(int fd);

 private:
  struct Socket {
    uint32_t generation = 0;  // tells a late event from one of the next socket of this number
    uint8_t wanted = 0;
    uint8_t installed = 0;  // as the kernel knows it; 0: not at all
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
  // asks NextTurnMs(); a thread leaves its work and then calls Wake().  Both sequentially consistent: either
  // the loop sees the work or the thread sees the flag.
  std::atomic<bool> asleep_ = false;
  std::atomic<bool> stopped_ = false;
  std::thread thread_;
};

}  // namespace crivello::fetch
