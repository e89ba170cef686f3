// SPDX-License-Identifier: Apache-2.0
// A DNS server for tests, on a loopback address, that answers as scripted; included by _test.cc and _fuzz.cc
// files only.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "fetch/address.h"
#include "fetch/scripted_server.h"

namespace crivello::fetch {

struct DnsAnswer {
  std::vector<IpAddress> addresses = {};  // those of the queried type are sent
  uint32_t ttl = 300;
  int rcode = 0;           // 3: no such name; 2: server failure
  bool truncated = false;  // over UDP: ask again over TCP
  bool silent = false;     // no answer at all
  std::string alias = {};  // a CNAME in between
  uint32_t alias_ttl = 300;
  std::optional<std::string> raw = {};  // these bytes after the id, instead of an answer
};

class DnsServer {
 public:
  // `name` without its final dot.
  using Script = std::function<DnsAnswer(const std::string& name)>;

  explicit DnsServer(Script script) : script_(std::move(script)) {
    stop_ = ::eventfd(0, EFD_CLOEXEC);
    Require(stop_ >= 0, "eventfd");
    // The same port for both; another try if it is taken.
    for (int i = 0; tcp_ < 0 && i < 20; i++) {
      std::tie(udp_, port_) = BindLoopback(SOCK_DGRAM, "127.0.0.1");
      const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
      sockaddr_in in = LoopbackAddress("127.0.0.1", port_);
      if (::bind(fd, reinterpret_cast<sockaddr*>(&in), sizeof in) == 0) {
        tcp_ = fd;
      } else {
        ::close(fd);
        ::close(udp_);
      }
    }
    Require(tcp_ >= 0 && ::listen(tcp_, 16) == 0, "listen");
    thread_ = std::thread([this] { Run(); });
  }
  DnsServer(const DnsServer&) = delete;
  ~DnsServer() {
    const uint64_t one = 1;
    Require(::write(stop_, &one, sizeof one) == sizeof one, "write");
    thread_.join();
    for (const int fd : {udp_, tcp_, stop_}) ::close(fd);
  }

  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }
  // The number of queries for a name, of both types.
  int Asked(const std::string& name) const {
    MutexLock lock(mu_);
    const auto found = asked_.find(name);
    return found == asked_.end() ? 0 : found->second;
  }
  int over_tcp() const { return over_tcp_; }

 private:
  static void Put16(unsigned value, std::string& out) {
    out.push_back(static_cast<char>(value >> 8));
    out.push_back(static_cast<char>(value));
  }
  static void PutName(const std::string& name, std::string& out) {
    for (size_t at = 0; at < name.size();) {
      const size_t end = std::min(name.find('.', at), name.size());
      out.push_back(static_cast<char>(end - at));
      out.append(name, at, end - at);
      at = end + 1;
    }
    out.push_back('\0');
  }
  static void PutRecord(const std::string& name, unsigned type, uint32_t ttl, const std::string& data,
                        std::string& out) {
    PutName(name, out);
    Put16(type, out);
    Put16(1, out);
    Put16(ttl >> 16, out);
    Put16(ttl & 0xffff, out);
    Put16(static_cast<unsigned>(data.size()), out);
    out.append(data);
  }

  std::optional<std::string> Reply(const std::string& query, bool tcp) {
    if (query.size() < 17) return std::nullopt;
    std::string name;
    size_t at = 12;
    while (at < query.size() && query[at] != '\0') {
      const auto length = static_cast<size_t>(query[at]);
      if (!name.empty()) name.push_back('.');
      name.append(query, at + 1, length);
      at += 1 + length;
    }
    if (at + 5 > query.size()) return std::nullopt;
    const bool ipv6 = query[at + 2] == 28;
    {
      MutexLock lock(mu_);
      asked_[name]++;
    }
    const DnsAnswer answer = script_(name);
    if (answer.silent) return std::nullopt;
    if (answer.raw) return query.substr(0, 2) + *answer.raw;

    const bool cut = answer.truncated && !tcp;
    std::string records;
    unsigned count = 0;
    const std::string& owner = answer.alias.empty() ? name : answer.alias;
    if (!answer.alias.empty() && !cut) {
      std::string target;
      PutName(answer.alias, target);
      PutRecord(name, 5, answer.alias_ttl, target, records);
      count++;
    }
    for (const IpAddress& address : answer.addresses) {
      if (cut || address.is_ipv4() == ipv6) continue;
      const auto* bytes = reinterpret_cast<const char*>(address.bytes().data());
      PutRecord(owner, ipv6 ? 28 : 1, answer.ttl, std::string(bytes, ipv6 ? 16 : 4), records);
      count++;
    }
    std::string reply = query.substr(0, 2);
    Put16(0x8180u | (cut ? 0x200u : 0u) | static_cast<unsigned>(answer.rcode), reply);
    Put16(1, reply);
    Put16(count, reply);
    Put16(0, reply);
    Put16(0, reply);
    reply.append(query, 12, at + 5 - 12);
    return reply + records;
  }

  void Run() {
    while (true) {
      pollfd waits[3] = {{udp_, POLLIN, 0}, {tcp_, POLLIN, 0}, {stop_, POLLIN, 0}};
      if (::poll(waits, 3, -1) < 0 || waits[2].revents != 0) return;
      if (waits[0].revents != 0) AnswerUdp();
      if (waits[1].revents != 0) AnswerTcp();
    }
  }
  void AnswerUdp() {
    char bytes[4096];
    sockaddr_in from{};
    socklen_t size = sizeof from;
    const ssize_t got = ::recvfrom(udp_, bytes, sizeof bytes, 0, reinterpret_cast<sockaddr*>(&from), &size);
    if (got <= 0) return;
    const auto reply = Reply(std::string(bytes, static_cast<size_t>(got)), false);
    if (reply) ::sendto(udp_, reply->data(), reply->size(), 0, reinterpret_cast<sockaddr*>(&from), size);
  }
  // One connection at a time, its queries one after another.
  void AnswerTcp() {
    const int fd = ::accept4(tcp_, nullptr, nullptr, SOCK_CLOEXEC);
    if (fd < 0) return;
    std::string buffer;
    while (true) {
      pollfd waits[2] = {{fd, POLLIN, 0}, {stop_, POLLIN, 0}};
      if (::poll(waits, 2, 1000) <= 0 || waits[1].revents != 0) break;
      char bytes[4096];
      const ssize_t got = ::recv(fd, bytes, sizeof bytes, 0);
      if (got <= 0) break;
      buffer.append(bytes, static_cast<size_t>(got));
      while (buffer.size() >= 2) {
        const size_t length = static_cast<size_t>(static_cast<uint8_t>(buffer[0])) << 8 |
                              static_cast<size_t>(static_cast<uint8_t>(buffer[1]));
        if (buffer.size() < 2 + length) break;
        over_tcp_++;
        const auto reply = Reply(buffer.substr(2, length), true);
        buffer.erase(0, 2 + length);
        if (!reply) continue;
        std::string framed;
        Put16(static_cast<unsigned>(reply->size()), framed);
        framed += *reply;
        ::send(fd, framed.data(), framed.size(), MSG_NOSIGNAL);
      }
    }
    ::close(fd);
  }

  Script script_;
  int stop_ = -1;
  int udp_ = -1;
  int tcp_ = -1;
  uint16_t port_ = 0;
  std::atomic<int> over_tcp_ = 0;
  mutable Mutex mu_;
  std::map<std::string, int> asked_ CRV_GUARDED_BY(mu_);
  std::thread thread_;
};

}  // namespace crivello::fetch
