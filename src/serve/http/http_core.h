// SPDX-License-Identifier: Apache-2.0
// The implementation of http_server.h.  Included by http_server.cc and http_connection.cc only.
#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/bounded_queue.h"
#include "serve/api/errors.h"
#include "serve/http/host_names.h"
#include "serve/http/http_server.h"

namespace crivello::serve {

// Everything but the handlers runs in one thread and needs no lock: connections, their list, counters.
class HttpServer::Core {
 public:
  using ErrorCode = boost::system::error_code;
  using Tcp = boost::asio::ip::tcp;

  Core(const HttpServerOptions& options, HttpHandler& handler);
  ~Core();

  Status Listen();
  void Stop();
  Tcp::endpoint endpoint() const { return endpoint_; }
  // REQUIRES: Listen() has succeeded.
  const HostNames& names() const { return *names_; }

 private:
  class Connection;
  using ConnectionList = std::list<Connection*>;

  void Accept();
  void Admit(Tcp::socket socket);
  using Queue = BoundedQueue<std::shared_ptr<Connection>>;
  void RunHandlers(Queue& queue);
  void BeginStop();
  void CloseIfDone() {
    if (stopping_ && open_ == 0) io_.stop();
  }

  const HttpServerOptions options_;
  HttpHandler& handler_;
  HttpStats own_counters_;
  HttpStats& counters_;
  std::optional<HostNames> names_;
  Tcp::endpoint endpoint_;

  bool stopping_ = false;
  size_t open_ = 0;
  uint64_t bodies_ = 0;                  // bytes that the bodies of requests in progress may take
  ConnectionList idle_;                  // connections that wait for a request, the longest-waiting first
  ConnectionList streams_;               // connections whose answer stays open
  std::atomic<bool> abandoned_ = false;  // requests that wait for a handler will not get one

  boost::asio::io_context io_{1};  // its destructor destroys connections, which are in the lists above
  Queue queue_;
  Queue row_queue_;
  Tcp::acceptor acceptor_;
  boost::asio::steady_timer accept_pause_;
  boost::asio::steady_timer stop_limit_;
  std::thread io_thread_;
  std::vector<std::thread> handlers_;
};

// One client: reads a request, has it handled, writes the answer, and repeats.  Owned by whatever it waits
// for, so it is destroyed, and closed, once nothing will call it any more.
class HttpServer::Core::Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(Tcp::socket socket, Core& core);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void AwaitRequest();
  // REQUIRES: it is idle.
  void CloseIdle();
  // Runs in a handler thread.  Nothing else touches the connection meanwhile.
  void RunHandler();
  void Write();
  // REQUIRES: its answer stays open.
  void EndEvents();

 private:
  using SteadyTime = std::chrono::steady_clock::time_point;

  void LeaveIdle();
  void ReleaseBody();
  void ReadRequest();
  void TakeHead();
  void ReadBody();
  void HandOver();
  void RefuseUnread(ErrorCode error);
  void Refuse(Error error, std::string_view message);
  void Written(ErrorCode error, size_t bytes);
  void Log(size_t bytes);
  void Drain();
  void BeginEvents(size_t bytes);
  void AwaitGoing();
  void SendEvents();
  void LeaveStreams();

  Core& core_;
  boost::beast::tcp_stream stream_;
  boost::asio::ip::address client_;
  boost::beast::flat_buffer buffer_;
  std::optional<boost::beast::http::request_parser<boost::beast::http::string_body>> parser_;
  std::optional<ConnectionList::iterator> idle_;
  std::optional<ConnectionList::iterator> streaming_;
  std::string sending_;  // events
  bool is_sending_ = false;
  size_t sent_ = 0;  // bytes of an answer that stays open
  uint64_t reserved_ = 0;
  SteadyTime received_;  // the first byte of the request
  SteadyTime queued_;
  HttpRequest request_;
  HttpResponse answer_;
  std::string head_;
  int64_t now_ = 0;
  bool head_only_ = false;
  bool keep_alive_ = false;
};

// Converts an IPv4 address that was mapped to IPv6 back.
boost::asio::ip::address Unmapped(const boost::asio::ip::address& address);

}  // namespace crivello::serve
