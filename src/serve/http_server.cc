// SPDX-License-Identifier: Apache-2.0
#include "serve/http_server.h"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <list>
#include <optional>
#include <thread>

#include "base/ascii.h"
#include "base/bounded_queue.h"
#include "base/civil_time.h"
#include "serve/errors.h"
#include "serve/host_names.h"
#include "serve/http_answer.h"
#include "serve/request_head.h"

namespace crivello::serve {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
namespace net = boost::asio;
using boost::system::error_code;
using net::ip::tcp;

constexpr size_t kFirstRead = 2048;  // what an idle connection holds ready
// A client that has not yet read the last answer would lose it if what it still sends met a closed socket.
constexpr auto kLinger = std::chrono::seconds(1);
constexpr auto kAcceptPause = std::chrono::milliseconds(50);
constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
constexpr std::string_view kFull =
    "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

net::ip::address Unmapped(const net::ip::address& address) {
  if (!address.is_v6() || !address.to_v6().is_v4_mapped()) return address;
  return net::ip::make_address_v4(net::ip::v4_mapped, address.to_v6());
}

std::string_view View(boost::string_view text) { return {text.data(), text.size()}; }

std::optional<RequestHead> RequestHeadOf(const http::request<http::string_body>& message) {
  HttpFields headers;
  for (const auto& field : message) {
    headers.emplace_back(ToAsciiLower(View(field.name_string())), View(field.value()));
  }
  return ReadRequestHead(View(message.method_string()), View(message.target()), std::move(headers),
                         message.version() >= 11);
}

}  // namespace

// All but the handlers runs in one thread, and needs no lock: connections, their list, the counters' changes.
class HttpServer::Core {
 public:
  Core(const HttpServerOptions& options, HttpHandler& handler)
      : options_(options),
        handler_(handler),
        counters_(options.counters == nullptr ? own_counters_ : *options.counters),
        queue_(options.queue),
        acceptor_(io_),
        accept_pause_(io_),
        stop_limit_(io_) {}
  ~Core() {
    Stop();
    stopping_ = false;  // the connections that are destroyed with io_ have no one to tell
  }

  Status Listen();
  void Stop();
  tcp::endpoint endpoint() const { return endpoint_; }

 private:
  class Connection;
  using ConnectionList = std::list<Connection*>;

  void Accept();
  void Admit(tcp::socket socket);
  void RunHandlers();
  void BeginStop();
  void CloseIfDone() {
    if (stopping_ && open_ == 0) io_.stop();
  }

  const HttpServerOptions options_;
  HttpHandler& handler_;
  HttpCounters own_counters_;
  HttpCounters& counters_;
  std::optional<HostNames> names_;
  tcp::endpoint endpoint_;

  bool stopping_ = false;
  size_t open_ = 0;
  uint64_t bodies_ = 0;                  // bytes that may come in the bodies of requests under way
  ConnectionList idle_;                  // those that wait for a request, the longest first
  std::atomic<bool> abandoned_ = false;  // what waits for a handler is to have none

  net::io_context io_{1};  // its end destroys connections, which are in the lists above
  BoundedQueue<std::shared_ptr<Connection>> queue_;
  tcp::acceptor acceptor_;
  net::steady_timer accept_pause_;
  net::steady_timer stop_limit_;
  std::thread io_thread_;
  std::vector<std::thread> handlers_;
};

// One client: reads a request, has it handled, writes the answer, and again.  Owned by whatever it waits for:
// when nothing will call it any more it is gone, and closed.
class HttpServer::Core::Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(tcp::socket socket, Core& core) : core_(core), stream_(std::move(socket)) {
    core_.open_++;
    core_.counters_.connections.Add();
    core_.counters_.connections_total.Add();
    error_code ignored;
    stream_.socket().set_option(tcp::no_delay(true), ignored);
    client_ = Unmapped(stream_.socket().remote_endpoint(ignored).address());
  }
  ~Connection() {
    LeaveIdle();
    ReleaseBody();
    core_.open_--;
    core_.counters_.connections.Subtract(1);
    core_.CloseIfDone();
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void AwaitRequest() {
    if (core_.stopping_ && buffer_.size() == 0) return;
    parser_.reset();
    if (buffer_.size() > 0) return ReadRequest();
    buffer_.shrink_to_fit();
    idle_ = core_.idle_.insert(core_.idle_.end(), this);
    stream_.expires_after(core_.options_.idle_timeout);
    stream_.async_read_some(buffer_.prepare(kFirstRead),
                            [self = shared_from_this()](error_code error, size_t n) {
                              self->LeaveIdle();
                              if (error) return;
                              self->buffer_.commit(n);
                              self->ReadRequest();
                            });
  }

  // REQUIRES: it is idle.
  void CloseIdle() {
    LeaveIdle();
    stream_.close();
  }

  // In a thread of the handlers.  Nothing else touches the connection meanwhile.
  void RunHandler() {
    if (core_.abandoned_ || SteadyNow() - queued_ > core_.options_.queue_timeout) {
      answer_ = ErrorAnswer(Error::kOverloaded, "the request waited too long");
    } else {
      try {
        answer_ = core_.handler_.Handle(request_);
      } catch (
          const std::exception& exception) {  // of a library, or memory is out: one request, not the server
        answer_ = ErrorAnswer(Error::kInternal, exception.what());
      }
    }
    FinishAnswer(request_, &answer_);
  }

  void Write() {
    ReleaseBody();
    keep_alive_ = keep_alive_ && !core_.stopping_;
    now_ = ToSeconds(SystemClock().Wall());
    head_ = HeadOf(answer_, {.keep_alive = keep_alive_, .time_seconds = now_});
    if (head_only_) answer_.body.clear();
    stream_.expires_after(core_.options_.write_timeout);
    net::async_write(
        stream_,
        std::array{net::const_buffer(net::buffer(head_)), net::const_buffer(net::buffer(answer_.body))},
        [self = shared_from_this()](error_code error, size_t n) { self->Written(error, n); });
  }

 private:
  static std::chrono::steady_clock::time_point SteadyNow() { return std::chrono::steady_clock::now(); }

  void LeaveIdle() {
    if (!idle_) return;
    core_.idle_.erase(*idle_);
    idle_.reset();
  }
  void ReleaseBody() {
    core_.bodies_ -= reserved_;
    reserved_ = 0;
  }

  void ReadRequest() {
    parser_.emplace();
    parser_->header_limit(core_.options_.header_bytes);
    parser_->body_limit(core_.options_.body_bytes);
    request_ = {};
    received_ = SteadyNow();
    stream_.expires_after(core_.options_.head_timeout);
    http::async_read_header(stream_, buffer_, *parser_,
                            [self = shared_from_this()](error_code error, size_t) {
                              if (error) return self->RefuseUnread(error);
                              self->TakeHead();
                            });
  }

  void TakeHead() {
    std::optional<RequestHead> head = RequestHeadOf(parser_->get());
    if (!head) return Refuse(Error::kBadRequest, "a target that is no path, or none or several Host headers");
    request_ = std::move(head->request);
    head_only_ = request_.method == "HEAD";
    if (head_only_) request_.method = "GET";
    if (!core_.names_->Admits(head->host)) {
      return Refuse(Error::kMisdirected, "this server is not known as '" + head->host + "'");
    }
    // A page of elsewhere whose name leads here is on this machine too, and so is a proxy.
    request_.from_loopback = client_.is_loopback() && IsLoopbackHost(head->host) &&
                             !request_.Header("x-forwarded-for") && !request_.Header("forwarded");
    if (parser_->is_done()) return HandOver();
    reserved_ = parser_->content_length().value_or(core_.options_.body_bytes);
    core_.bodies_ += reserved_;
    if (core_.bodies_ > core_.options_.bodies_bytes) {
      return Refuse(Error::kOverloaded, "too many bodies are being received");
    }
    stream_.expires_after(core_.options_.body_timeout);
    const auto expect = request_.Header("expect");
    if (!expect || !EqualsIgnoringCase(*expect, "100-continue")) return ReadBody();
    net::async_write(stream_, net::buffer(kContinue.data(), kContinue.size()),
                     [self = shared_from_this()](error_code error, size_t) {
                       if (!error) self->ReadBody();
                     });
  }

  void ReadBody() {
    http::async_read(stream_, buffer_, *parser_, [self = shared_from_this()](error_code error, size_t) {
      if (error) return self->RefuseUnread(error);
      self->request_.body = std::move(self->parser_->get().body());
      self->HandOver();
    });
  }

  void HandOver() {
    keep_alive_ = parser_->keep_alive();
    queued_ = SteadyNow();
    std::shared_ptr<Connection> self = shared_from_this();
    if (core_.queue_.TryPush(self)) return;
    core_.counters_.overloaded.Add();
    answer_ = ErrorAnswer(Error::kOverloaded, "too many requests wait");
    FinishAnswer(request_, &answer_);
    Write();
  }

  // What could not be read: a time-out or a broken connection ends it, anything else is worth a word.
  void RefuseUnread(error_code error) {
    if (error == http::error::header_limit || error == http::error::buffer_overflow) {
      return Refuse(Error::kHeadTooLarge,
                    fmt::format("the head is larger than {} bytes", core_.options_.header_bytes));
    }
    if (error == http::error::body_limit) {
      return Refuse(Error::kBodyTooLarge,
                    fmt::format("the body is larger than {} bytes", core_.options_.body_bytes));
    }
    if (error == http::error::end_of_stream || error == http::error::partial_message) return;
    if (error.category() == http::make_error_code(http::error::bad_version).category()) {
      return Refuse(Error::kBadRequest, error.message());
    }
  }

  // The rest of the request is not read, so the connection ends with the answer.
  void Refuse(Error error, std::string_view message) {
    core_.counters_.malformed.Add();
    keep_alive_ = false;
    answer_ = ErrorAnswer(error, message);
    FinishAnswer(request_, &answer_);
    Write();
  }

  void Written(error_code error, size_t bytes) {
    core_.counters_.requests.Add();
    core_.counters_.bytes_sent.Add(bytes);
    if (core_.options_.access_log) {
      core_.options_.access_log({.time_seconds = now_,
                                 .client = ShortenedAddress(client_.to_string()),
                                 .method = head_only_ ? "HEAD" : request_.method,
                                 .path = request_.path,
                                 .status = answer_.status,
                                 .bytes = bytes,
                                 .duration = SteadyNow() - received_});
    }
    if (error) return;
    request_ = {};
    answer_ = {};
    head_only_ = false;
    if (keep_alive_) return AwaitRequest();
    error_code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    buffer_.clear();
    stream_.expires_after(kLinger);
    Drain();
  }

  void Drain() {
    stream_.async_read_some(buffer_.prepare(kFirstRead),
                            [self = shared_from_this()](error_code error, size_t) {
                              if (!error) self->Drain();
                            });
  }

  Core& core_;
  beast::tcp_stream stream_;
  net::ip::address client_;
  beast::flat_buffer buffer_{core_.options_.header_bytes + kFirstRead};
  std::optional<http::request_parser<http::string_body>> parser_;
  std::optional<ConnectionList::iterator> idle_;
  uint64_t reserved_ = 0;
  std::chrono::steady_clock::time_point received_;  // the first byte of the request
  std::chrono::steady_clock::time_point queued_;
  HttpRequest request_;
  HttpResponse answer_;
  std::string head_;
  int64_t now_ = 0;
  bool head_only_ = false;
  bool keep_alive_ = false;
};

Status HttpServer::Core::Listen() {
  const auto failed = [this](error_code error) {
    return Status::IoError(
        fmt::format("listening on {}:{}: {}", options_.address, options_.port, error.message()));
  };
  error_code error;
  const net::ip::address address = net::ip::make_address(options_.address, error);
  if (error) return Status::InvalidArgument(options_.address + " is no IP address to listen on");
  acceptor_.open(address.is_v4() ? tcp::v4() : tcp::v6(), error);
  if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor_.bind({address, options_.port}, error);
  if (!error) acceptor_.listen(net::socket_base::max_listen_connections, error);
  if (!error) endpoint_ = acceptor_.local_endpoint(error);
  if (error) return failed(error);
  names_.emplace(Unmapped(address).is_loopback(), options_.names);
  Accept();
  for (size_t i = 0; i < options_.threads; i++) handlers_.emplace_back([this] { RunHandlers(); });
  io_thread_ = std::thread([this] {
    const auto work = net::make_work_guard(io_);
    io_.run();
  });
  return Status::Ok();
}

void HttpServer::Core::Accept() {
  acceptor_.async_accept([this](error_code error, tcp::socket socket) {
    if (stopping_) return;
    if (!error) {
      Admit(std::move(socket));
      return Accept();
    }
    // Out of descriptors, most likely: it is of no use to try again at once.
    accept_pause_.expires_after(kAcceptPause);
    accept_pause_.async_wait([this](error_code stopped) {
      if (!stopped && !stopping_) Accept();
    });
  });
}

void HttpServer::Core::Admit(tcp::socket socket) {
  if (open_ >= options_.connections) {
    if (idle_.empty()) {
      counters_.connections_refused.Add();
      error_code ignored;
      socket.non_blocking(true, ignored);
      socket.write_some(net::buffer(kFull.data(), kFull.size()), ignored);
      return;
    }
    idle_.front()->CloseIdle();
  }
  std::make_shared<Connection>(std::move(socket), *this)->AwaitRequest();
}

void HttpServer::Core::RunHandlers() {
  while (std::optional<std::shared_ptr<Connection>> connection = queue_.Pop()) {
    (*connection)->RunHandler();
    // Given away: the last owner, who destroys it, is never this thread.
    net::post(io_, [moved = *std::move(connection)] { moved->Write(); });
  }
}

void HttpServer::Core::BeginStop() {
  stopping_ = true;
  error_code ignored;
  acceptor_.close(ignored);
  accept_pause_.cancel();
  while (!idle_.empty()) idle_.front()->CloseIdle();
  stop_limit_.expires_after(options_.stop_timeout);
  stop_limit_.async_wait([this](error_code) { io_.stop(); });
  CloseIfDone();
}

void HttpServer::Core::Stop() {
  if (io_thread_.joinable()) {
    net::post(io_, [this] { BeginStop(); });
    io_thread_.join();
  }
  abandoned_ = true;
  queue_.Close();
  for (std::thread& thread : handlers_) thread.join();
  handlers_.clear();
}

HttpServer::HttpServer(std::unique_ptr<Core> core) : core_(std::move(core)) {}
HttpServer::~HttpServer() = default;

Result<std::unique_ptr<HttpServer>> HttpServer::Open(const HttpServerOptions& options, HttpHandler& handler) {
  auto core = std::make_unique<Core>(options, handler);
  CRV_TRY(core->Listen());
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(core)));
}

uint16_t HttpServer::port() const { return core_->endpoint().port(); }

std::string HttpServer::url() const {
  const tcp::endpoint at = core_->endpoint();
  return at.address().is_v6() ? fmt::format("http://[{}]:{}/", at.address().to_string(), at.port())
                              : fmt::format("http://{}:{}/", at.address().to_string(), at.port());
}

void HttpServer::Stop() { core_->Stop(); }

}  // namespace crivello::serve
