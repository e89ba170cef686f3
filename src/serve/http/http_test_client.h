// SPDX-License-Identifier: Apache-2.0
// A client of a server on this machine, for tests: it sends exactly the bytes it is given, and waits.
#pragma once

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>
#include <string_view>

#include "serve/http/http.h"
#include "web/http/http_message.h"

namespace crivello::serve {

class TestClient {
 public:
  struct Answer {
    int status = 0;  // 0: the connection ended
    HttpFields headers;
    std::string body;

    std::string Header(std::string_view name) const {
      for (const auto& [key, value] : headers) {
        if (key == name) return value;
      }
      return "";
    }
  };

  explicit TestClient(uint16_t port)
      : port_(port), socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in name = {};
    name.sin_family = AF_INET;
    name.sin_port = htons(port);
    name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = ::connect(socket_, reinterpret_cast<sockaddr*>(&name), sizeof(name)) == 0;
    const timeval patience = {.tv_sec = 30, .tv_usec = 0};
    EXPECT_EQ(::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)), 0);
  }
  ~TestClient() { ::close(socket_); }
  TestClient(const TestClient&) = delete;
  TestClient& operator=(const TestClient&) = delete;

  bool connected() const { return connected_; }
  int socket() const { return socket_; }

  // False if the server has closed the connection.
  bool Send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<size_t>(sent));
    }
    return true;
  }
  void SendRequest(const std::string& method, const std::string& target, const HttpFields& headers = {},
                   const std::string& body = "") {
    std::string text = method + " " + target + " HTTP/1.1\r\n";
    bool host = false;
    for (const auto& [name, value] : headers) {
      host |= name == "Host";
      text += name + ": " + value + "\r\n";
    }
    if (!host) text += "Host: 127.0.0.1:" + std::to_string(port_) + "\r\n";
    if (!body.empty() || method == "POST") text += "Content-Length: " + std::to_string(body.size()) + "\r\n";
    Send(text + "\r\n" + body);
  }
  // The next answer, by its Content-Length; with `to_head` it has no body in any case.
  Answer Receive(bool to_head = false) {
    for (;;) {
      const auto response = web::ParseHttpResponse(unread_);
      const bool bodiless = to_head || response.status == 304 || response.status / 100 == 1;
      const size_t length =
          bodiless ? 0 : std::stoul(std::string(response.fields.Find("content-length").value_or("0")));
      if (response.complete_head && unread_.size() >= response.head_bytes + length) {
        Answer answer{response.status, {}, unread_.substr(response.head_bytes, length)};
        for (const web::HttpField& field : response.fields.all()) {
          answer.headers.emplace_back(field.name, field.value);
        }
        unread_.erase(0, response.head_bytes + length);
        return answer;
      }
      if (!ReadMore()) return {};
    }
  }
  Answer Ask(const std::string& method, const std::string& target, const HttpFields& headers = {},
             const std::string& body = "") {
    SendRequest(method, target, headers, body);
    return Receive(method == "HEAD");
  }
  Answer Get(const std::string& target, const HttpFields& headers = {}) {
    return Ask("GET", target, headers);
  }
  // Whether the server closes the connection without sending anything more.
  bool Ends() { return !ReadMore() && unread_.empty(); }

 private:
  bool ReadMore() {
    char buffer[65536];
    const ssize_t got = ::recv(socket_, buffer, sizeof(buffer), 0);
    if (got > 0) unread_.append(buffer, static_cast<size_t>(got));
    return got > 0;
  }

  uint16_t port_;
  int socket_;
  bool connected_ = false;
  std::string unread_;
};

}  // namespace crivello::serve
