// SPDX-License-Identifier: Apache-2.0
#include "serve/http/http_server.h"

#include <fmt/format.h>

#include <boost/asio/post.hpp>

#include "serve/http/http_core.h"

namespace crivello::serve {
namespace {

namespace net = boost::asio;
using boost::system::error_code;
using net::ip::tcp;

constexpr auto kAcceptPause = std::chrono::milliseconds(50);
constexpr std::string_view kFull =
    "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

}  // namespace

net::ip::address Unmapped(const net::ip::address& address) {
  if (!address.is_v6() || !address.to_v6().is_v4_mapped()) return address;
  return net::ip::make_address_v4(net::ip::v4_mapped, address.to_v6());
}

HttpServer::Core::Core(const HttpServerOptions& options, HttpHandler& handler)
    : options_(options),
      handler_(handler),
      counters_(options.counters == nullptr ? own_counters_ : *options.counters),
      queue_(options.queue),
      row_queue_(options.row_queue),
      acceptor_(io_),
      accept_pause_(io_),
      stop_limit_(io_) {}

HttpServer::Core::~Core() {
  Stop();
  stopping_ = false;  // the connections that are destroyed with io_ have nobody to notify
}

Status HttpServer::Core::Listen() {
  const auto failed = [this](error_code error) {
    return Status::IoError(
        fmt::format("cannot listen on {}:{}: {}", options_.address, options_.port, error.message()));
  };
  error_code error;
  const net::ip::address address = net::ip::make_address(options_.address, error);
  if (error)
    return Status::InvalidArgument("cannot listen on '" + options_.address +
                                   "': expected an IP address, such as 127.0.0.1");
  acceptor_.open(address.is_v4() ? tcp::v4() : tcp::v6(), error);
  if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor_.bind({address, options_.port}, error);
  if (!error) acceptor_.listen(net::socket_base::max_listen_connections, error);
  if (!error) endpoint_ = acceptor_.local_endpoint(error);
  if (error) return failed(error);
  names_.emplace(Unmapped(address).is_loopback(), options_.names);
  Accept();
  for (size_t i = 0; i < options_.threads; i++) handlers_.emplace_back([this] { RunHandlers(queue_); });
  for (size_t i = 0; i < options_.row_threads; i++) {
    handlers_.emplace_back([this] { RunHandlers(row_queue_); });
  }
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
    // Probably out of file descriptors: trying again at once is useless.
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

void HttpServer::Core::RunHandlers(Queue& queue) {
  while (std::optional<std::shared_ptr<Connection>> connection = queue.Pop()) {
    (*connection)->RunHandler();
    // Moved away: the last owner, which destroys it, is never this thread.
    net::post(io_, [moved = *std::move(connection)] { moved->Write(); });
  }
}

void HttpServer::Core::BeginStop() {
  stopping_ = true;
  error_code ignored;
  acceptor_.close(ignored);
  accept_pause_.cancel();
  while (!idle_.empty()) idle_.front()->CloseIdle();
  while (!streams_.empty()) streams_.front()->EndEvents();
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
  row_queue_.Close();
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

bool HttpServer::answers_any_name() const { return core_->names().AdmitsAll(); }

std::string HttpServer::url() const {
  const tcp::endpoint at = core_->endpoint();
  return at.address().is_v6() ? fmt::format("http://[{}]:{}/", at.address().to_string(), at.port())
                              : fmt::format("http://{}:{}/", at.address().to_string(), at.port());
}

void HttpServer::Stop() { core_->Stop(); }

}  // namespace crivello::serve
