// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/read.hpp>

#include "base/ascii.h"
#include "base/civil_time.h"
#include "serve/http/event_stream.h"
#include "serve/http/http_answer.h"
#include "serve/http/http_core.h"
#include "serve/http/request_head.h"

namespace crivello::serve {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
namespace net = boost::asio;
using boost::system::error_code;
using net::ip::tcp;

constexpr size_t kFirstRead = 2048;  // the buffer that an idle connection keeps
// A client would lose the last answer if bytes that it still sends met a closed socket.
constexpr auto kLinger = std::chrono::seconds(1);
constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

std::chrono::steady_clock::time_point SteadyNow() { return std::chrono::steady_clock::now(); }

std::string_view View(boost::string_view text) { return {text.data(), text.size()}; }

// Headers with which proxies say that they forward a request.
bool CameThroughProxy(const HttpRequest& request) {
  constexpr std::array<std::string_view, 8> kProxyHeaders = {
      "forwarded",         "via",       "x-forwarded-for", "x-forwarded-host",
      "x-forwarded-proto", "x-real-ip", "true-client-ip",  "cf-connecting-ip"};
  return std::any_of(kProxyHeaders.begin(), kProxyHeaders.end(),
                     [&](std::string_view name) { return request.Header(name).has_value(); });
}

Result<RequestHead> RequestHeadOf(const http::request<http::string_body>& message) {
  HttpFields headers;
  for (const auto& field : message) {
    headers.emplace_back(ToAsciiLower(View(field.name_string())), View(field.value()));
  }
  return ReadRequestHead(View(message.method_string()), View(message.target()), std::move(headers),
                         message.version());
}

}  // namespace

HttpServer::Core::Connection::Connection(Tcp::socket socket, Core& core)
    : core_(core), stream_(std::move(socket)), buffer_(core.options_.header_bytes + kFirstRead) {
  core_.open_++;
  core_.counters_.connections.Add();
  core_.counters_.connections_total.Add();
  error_code ignored;
  stream_.socket().set_option(tcp::no_delay(true), ignored);
  client_ = Unmapped(stream_.socket().remote_endpoint(ignored).address());
}

HttpServer::Core::Connection::~Connection() {
  LeaveIdle();
  LeaveStreams();
  ReleaseBody();
  core_.open_--;
  core_.counters_.connections.Subtract(1);
  core_.CloseIfDone();
}

void HttpServer::Core::Connection::AwaitRequest() {
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

void HttpServer::Core::Connection::CloseIdle() {
  LeaveIdle();
  stream_.close();
}

void HttpServer::Core::Connection::RunHandler() {
  if (core_.abandoned_ || SteadyNow() - queued_ > core_.options_.queue_timeout) {
    answer_ =
        ErrorAnswer(Error::kOverloaded, "the server is overloaded: the request waited too long in the queue");
  } else {
    try {
      answer_ = core_.handler_.Handle(request_);
    } catch (
        const std::exception& exception) {  // thrown by a library, or out of memory: only this request fails
      answer_ = ErrorAnswer(Error::kInternal, exception.what());
    }
  }
  FinishAnswer(request_, &answer_);
}

void HttpServer::Core::Connection::Write() {
  ReleaseBody();
  keep_alive_ = keep_alive_ && !core_.stopping_ && answer_.events == nullptr;
  now_ = ToSeconds(SystemClock().Wall());
  head_ = HeadOf(answer_, {.keep_alive = keep_alive_, .time_seconds = now_});
  if (head_only_) answer_.body.clear();
  stream_.expires_after(core_.options_.write_timeout);
  net::async_write(
      stream_,
      std::array{net::const_buffer(net::buffer(head_)), net::const_buffer(net::buffer(answer_.body))},
      [self = shared_from_this()](error_code error, size_t n) { self->Written(error, n); });
}

void HttpServer::Core::Connection::LeaveIdle() {
  if (!idle_) return;
  core_.idle_.erase(*idle_);
  idle_.reset();
}

void HttpServer::Core::Connection::ReleaseBody() {
  core_.bodies_ -= reserved_;
  reserved_ = 0;
}

void HttpServer::Core::Connection::ReadRequest() {
  parser_.emplace();
  parser_->header_limit(core_.options_.header_bytes);
  parser_->body_limit(core_.options_.body_bytes);
  request_ = {};
  received_ = SteadyNow();
  stream_.expires_after(core_.options_.head_timeout);
  http::async_read_header(stream_, buffer_, *parser_, [self = shared_from_this()](error_code error, size_t) {
    if (error) return self->RefuseUnread(error);
    self->TakeHead();
  });
}

void HttpServer::Core::Connection::TakeHead() {
  Result<RequestHead> head = RequestHeadOf(parser_->get());
  if (!head.ok()) return Refuse(Error::kBadRequest, head.status().message());
  request_ = std::move(head->request);
  head_only_ = request_.method == "HEAD";
  if (head_only_) request_.method = "GET";
  if (!core_.names_->Admits(head->host)) {
    return Refuse(Error::kMisdirected,
                  "this server does not have the name '" + head->host + "'; add it with --name");
  }
  // A page elsewhere whose name resolves to this machine also connects from loopback, and so does a proxy.
  request_.from_loopback = client_.is_loopback() && IsLoopbackHost(head->host) && !CameThroughProxy(request_);
  if (parser_->is_done()) return HandOver();
  reserved_ = parser_->content_length().value_or(core_.options_.body_bytes);
  core_.bodies_ += reserved_;
  if (core_.bodies_ > core_.options_.bodies_bytes) {
    return Refuse(Error::kOverloaded, "the server is overloaded: it is receiving too many request bodies");
  }
  stream_.expires_after(core_.options_.body_timeout);
  const auto expect = request_.Header("expect");
  if (!expect || !EqualsIgnoringCase(*expect, "100-continue")) return ReadBody();
  net::async_write(stream_, net::buffer(kContinue.data(), kContinue.size()),
                   [self = shared_from_this()](error_code error, size_t) {
                     if (!error) self->ReadBody();
                   });
}

void HttpServer::Core::Connection::ReadBody() {
  http::async_read(stream_, buffer_, *parser_, [self = shared_from_this()](error_code error, size_t) {
    if (error) return self->RefuseUnread(error);
    self->request_.body = std::move(self->parser_->get().body());
    self->HandOver();
  });
}

void HttpServer::Core::Connection::HandOver() {
  keep_alive_ = parser_->keep_alive();
  queued_ = SteadyNow();
  std::shared_ptr<Connection> self = shared_from_this();
  const bool rows = core_.handler_.ReadsRows(request_);
  if ((rows ? core_.row_queue_ : core_.queue_).TryPush(self)) return;
  core_.counters_.overloaded.Add();
  answer_ =
      ErrorAnswer(Error::kOverloaded,
                  rows ? "the server is overloaded: too many requests for rows of the collection are waiting"
                       : "the server is overloaded: too many requests are waiting");
  FinishAnswer(request_, &answer_);
  Write();
}

// Handles a failed read: a timeout or a broken connection closes it; any other error gets an answer.
void HttpServer::Core::Connection::RefuseUnread(error_code error) {
  if (error == http::error::header_limit || error == http::error::buffer_overflow) {
    return Refuse(Error::kHeadTooLarge,
                  fmt::format("the request head exceeds the limit of {} bytes", core_.options_.header_bytes));
  }
  if (error == http::error::body_limit) {
    return Refuse(Error::kBodyTooLarge,
                  fmt::format("the request body exceeds the limit of {} bytes", core_.options_.body_bytes));
  }
  if (error == http::error::end_of_stream || error == http::error::partial_message) return;
  if (error.category() == http::make_error_code(http::error::bad_version).category()) {
    return Refuse(Error::kBadRequest, error.message());
  }
}

// The rest of the request is not read, so the connection ends with the answer.
void HttpServer::Core::Connection::Refuse(Error error, std::string_view message) {
  core_.counters_.malformed.Add();
  keep_alive_ = false;
  answer_ = ErrorAnswer(error, message);
  FinishAnswer(request_, &answer_);
  Write();
}

void HttpServer::Core::Connection::Written(error_code error, size_t bytes) {
  if (!error && answer_.events != nullptr && !head_only_ && !core_.stopping_) return BeginEvents(bytes);
  Log(bytes);
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

void HttpServer::Core::Connection::Log(size_t bytes) {
  core_.counters_.requests.Add();
  core_.counters_.bytes_sent.Add(bytes);
  if (!core_.options_.access_log) return;
  core_.options_.access_log({.time_seconds = now_,
                             .client = ShortenedAddress(client_.to_string()),
                             .method = head_only_ ? "HEAD" : request_.method,
                             .path = request_.path,
                             .status = answer_.status,
                             .bytes = bytes,
                             .duration = SteadyNow() - received_});
}

void HttpServer::Core::Connection::Drain() {
  stream_.async_read_some(buffer_.prepare(kFirstRead), [self = shared_from_this()](error_code error, size_t) {
    if (!error) self->Drain();
  });
}

void HttpServer::Core::Connection::BeginEvents(size_t bytes) {
  sent_ = bytes;
  streaming_ = core_.streams_.insert(core_.streams_.end(), this);
  core_.counters_.streams.Add();
  stream_.expires_never();
  buffer_.clear();
  AwaitGoing();
  answer_.events->Watch([&io = core_.io_, weak = weak_from_this()] {
    net::post(io, [weak] {
      if (const auto self = weak.lock()) self->SendEvents();
    });
  });
  SendEvents();
}

// Waits for the client to close the connection; nothing else is expected from it.
void HttpServer::Core::Connection::AwaitGoing() {
  stream_.async_read_some(buffer_.prepare(kFirstRead), [self = shared_from_this()](error_code error, size_t) {
    if (!error) return self->AwaitGoing();
    self->EndEvents();
  });
}

void HttpServer::Core::Connection::SendEvents() {
  if (!streaming_) return;
  if (answer_.events->ended()) return EndEvents();
  if (is_sending_) return;
  sending_ = answer_.events->Take();
  if (sending_.empty()) return;
  is_sending_ = true;
  stream_.expires_after(core_.options_.write_timeout);
  net::async_write(stream_, net::buffer(sending_), [self = shared_from_this()](error_code error, size_t n) {
    self->is_sending_ = false;
    self->sent_ += n;
    if (error) return self->EndEvents();
    self->SendEvents();
  });
}

void HttpServer::Core::Connection::EndEvents() {
  if (!streaming_) return;
  LeaveStreams();
  Log(sent_);
  answer_ = {};
  stream_.close();
}

void HttpServer::Core::Connection::LeaveStreams() {
  if (!streaming_) return;
  // After this no publisher touches io_, which may be destroyed before the publishers.
  answer_.events->Unwatch();
  core_.streams_.erase(*streaming_);
  streaming_.reset();
  core_.counters_.streams.Subtract(1);
}

}  // namespace crivello::serve
