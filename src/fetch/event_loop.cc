// SPDX-License-Identifier: Apache-2.0
#include "fetch/event_loop.h"

#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <system_error>

namespace crivello::fetch {
namespace {

constexpr uint64_t kWakeToken = UINT64_MAX;

uint32_t ToEpoll(unsigned events) {
  return ((events & EventLoop::kRead) != 0 ? static_cast<uint32_t>(EPOLLIN) : 0u) |
         ((events & EventLoop::kWrite) != 0 ? static_cast<uint32_t>(EPOLLOUT) : 0u);
}

unsigned FromEpoll(uint32_t events) {
  unsigned result = 0;
  if ((events & (EPOLLIN | EPOLLHUP)) != 0) result |= EventLoop::kRead;
  if ((events & EPOLLOUT) != 0) result |= EventLoop::kWrite;
  if ((events & EPOLLERR) != 0) result |= EventLoop::kError;
  return result;
}

}  // namespace

Result<std::unique_ptr<EventLoop>> EventLoop::Open() {
  const int epoll = ::epoll_create1(EPOLL_CLOEXEC);
  if (epoll < 0) return Status::FromErrno("making an epoll", "", errno);
  const int wake = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (wake < 0) {
    const int error = errno;
    ::close(epoll);
    return Status::FromErrno("making an eventfd", "", error);
  }
  std::unique_ptr<EventLoop> loop(new EventLoop(epoll, wake));
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = kWakeToken;
  if (::epoll_ctl(epoll, EPOLL_CTL_ADD, wake, &event) != 0) {
    return Status::FromErrno("watching an eventfd", "", errno);
  }
  return loop;
}

EventLoop::~EventLoop() {
  Stop();
  ::close(wake_);
  ::close(epoll_);
}

Status EventLoop::Start(Client* client) {
  client_ = client;
  try {
    thread_ = std::thread([this] { Run(); });
  } catch (const std::system_error& error) {
    return Status::IoError(std::string("starting a thread: ") + error.what());
  }
  return Status::Ok();
}

void EventLoop::Stop() {
  if (!thread_.joinable()) return;
  stopped_ = true;
  Wake();
  thread_.join();
}

Duration EventLoop::Cpu() {
  clockid_t clock = 0;
  timespec time = {};
  if (!thread_.joinable() || pthread_getcpuclockid(thread_.native_handle(), &clock) != 0 ||
      clock_gettime(clock, &time) != 0) {
    return {};
  }
  return std::chrono::seconds(time.tv_sec) + Duration(time.tv_nsec);
}

void EventLoop::Wake() {
  if (!asleep_.exchange(false)) return;
  const uint64_t one = 1;
  // It fails only if the counter is full, and then the loop wakes anyway.
  [[maybe_unused]] const ssize_t written = ::write(wake_, &one, sizeof one);
}

EventLoop::Socket& EventLoop::At(int fd) {
  const auto index = static_cast<size_t>(fd);
  if (index >= sockets_.size()) sockets_.resize(index + 1 + index / 2);
  return sockets_[index];
}

void EventLoop::Watch(int fd, unsigned events) {
  Socket& socket = At(fd);
  socket.wanted = static_cast<uint8_t>(events);
  if (events == 0 || socket.changed || socket.wanted == socket.installed) return;
  socket.changed = true;
  changed_.push_back(fd);
}

void EventLoop::Closed(int fd) {
  Socket& socket = At(fd);
  // Explicitly, because the kernel forgets it only with the last descriptor of the socket, and a child
  // process may have one.
  if (socket.installed != 0) ::epoll_ctl(epoll_, EPOLL_CTL_DEL, fd, nullptr);
  socket.wanted = 0;
  socket.installed = 0;
  socket.generation++;
}

void EventLoop::Install() {
  for (const int fd : changed_) {
    Socket& socket = At(fd);
    socket.changed = false;
    if (socket.wanted == 0 || socket.wanted == socket.installed) continue;
    epoll_event event{};
    event.events = ToEpoll(socket.wanted);
    event.data.u64 = static_cast<uint64_t>(socket.generation) << 32 | static_cast<uint32_t>(fd);
    const int operation = socket.installed == 0 ? EPOLL_CTL_ADD : EPOLL_CTL_MOD;
    // On failure (no memory in the kernel) the socket stays silent; its transfer then ends by its time limit.
    if (::epoll_ctl(epoll_, operation, fd, &event) == 0) socket.installed = socket.wanted;
  }
  changed_.clear();
}

void EventLoop::Run() {
  std::array<epoll_event, 256> events;
  while (!stopped_) {
    Install();
    asleep_ = true;
    const int timeout_ms = stopped_ ? 0 : client_->NextTurnMs();
    const int ready = ::epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), timeout_ms);
    asleep_ = false;
    for (int i = 0; i < ready; i++) {
      const uint64_t token = events[static_cast<size_t>(i)].data.u64;
      if (token == kWakeToken) {
        uint64_t count;
        [[maybe_unused]] const ssize_t got = ::read(wake_, &count, sizeof count);
        continue;
      }
      const auto fd = static_cast<int>(token & 0xffffffff);
      Socket& socket = At(fd);
      if (socket.generation != static_cast<uint32_t>(token >> 32)) continue;
      const unsigned happened = FromEpoll(events[static_cast<size_t>(i)].events);
      if (socket.wanted == 0) {
        // An event on an idle socket, usually because its peer has closed it.
        ::epoll_ctl(epoll_, EPOLL_CTL_DEL, fd, nullptr);
        socket.installed = 0;
        continue;
      }
      client_->OnReady(fd, happened);
    }
    client_->OnTurn();
  }
  client_->OnStop();
}

}  // namespace crivello::fetch
