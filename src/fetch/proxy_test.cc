// SPDX-License-Identifier: Apache-2.0
// The fetcher through proxies: a small one made by the test, for HTTP (forwarding and CONNECT) and SOCKS5.
#include <gtest/gtest.h>

#include <cstring>

#include "fetch/collector.h"
#include "fetch/nginx_server.h"
#include "fetch/scripted_server.h"

namespace crivello::fetch {
namespace {

using Connection = ScriptedServer::Connection;

const std::string kProxiedHello = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

int ConnectTo(uint16_t port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in in = LoopbackAddress("127.0.0.1", port);
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&in), sizeof in) == 0) return fd;
  ::close(fd);
  return -1;
}

// Copies bytes both ways until one side closes.
void Relay(Connection& connection, int server) {
  std::thread back([&connection, server] {
    char bytes[16384];
    for (ssize_t got; (got = ::recv(server, bytes, sizeof bytes, 0)) > 0;) {
      connection.Write({bytes, static_cast<size_t>(got)});
    }
    ::shutdown(connection.fd(), SHUT_RDWR);
  });
  for (std::string bytes; !(bytes = connection.ReadSome()).empty();) {
    ::send(server, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  }
  ::shutdown(server, SHUT_RDWR);
  back.join();
  ::close(server);
}

// All names mean this machine; the port decides.
uint16_t PortOf(const std::string& authority) {
  return static_cast<uint16_t>(std::atoi(authority.c_str() + authority.rfind(':') + 1));
}

void HttpProxy(Connection& connection) {
  const std::string head = connection.ReadHead();
  if (head.starts_with("CONNECT ")) {
    const int server = ConnectTo(PortOf(head.substr(8, head.find(' ', 8) - 8)));
    if (server < 0) {
      connection.Write("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n");
      return;
    }
    connection.Write("HTTP/1.1 200 Connected\r\nX-Proxy: yes\r\n\r\n");
    Relay(connection, server);
    return;
  }
  // GET http://host:port/path: answers it itself.
  const std::string target = head.substr(4, head.find(' ', 4) - 4);
  connection.Write("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: " +
                   std::to_string(target.size()) + "\r\n\r\n" + target);
}

void Socks5Proxy(Connection& connection) {
  std::string bytes = connection.ReadSome();  // version, methods
  if (bytes.empty()) return;
  connection.Write(std::string("\5\0", 2));
  bytes = connection.ReadSome();  // version, connect, 0, by name: length, name, port
  if (bytes.size() < 7 || bytes[3] != 3) return;
  const size_t length = static_cast<uint8_t>(bytes[4]);
  const auto port = static_cast<uint16_t>(static_cast<uint8_t>(bytes[5 + length]) << 8 |
                                          static_cast<uint8_t>(bytes[6 + length]));
  const int server = ConnectTo(port);
  connection.Write(std::string(server >= 0 ? "\5\0\0\1\0\0\0\0\0\0" : "\5\5\0\1\0\0\0\0\0\0", 10));
  if (server >= 0) Relay(connection, server);
}

std::unique_ptr<Fetch> ByName(const std::string& url) {
  auto fetch = MakeFetch(url);
  fetch->request.addresses.clear();  // the proxy resolves the name
  return fetch;
}

TEST(ProxyTest, ForwardsPlainHttp) {
  ScriptedServer proxy(HttpProxy);
  TestFetcher fetcher({.proxy = proxy.Url()});
  const auto fetch = fetcher.Get(ByName("http://name.test/a?b"));
  EXPECT_EQ(fetch->response.outcome, Outcome::kOk) << fetch->response.message;
  EXPECT_EQ(fetch->response.body, "http://name.test/a?b");
  EXPECT_EQ(proxy.requests().back(), fetch->response.request_head);
  EXPECT_EQ(fetch->response.remote_port, proxy.port());
  EXPECT_EQ(fetch->response.remote.ToString(), "127.0.0.1");
}

TEST(ProxyTest, GoesThroughSocks5) {
  ScriptedServer server(ScriptedServer::Always(kProxiedHello));
  ScriptedServer proxy(Socks5Proxy);
  TestFetcher fetcher({.proxy = "socks5h://127.0.0.1:" + std::to_string(proxy.port())});
  const auto fetch = fetcher.Get(ByName("http://name.test:" + std::to_string(server.port()) + "/x"));
  EXPECT_EQ(fetch->response.outcome, Outcome::kOk) << fetch->response.message;
  EXPECT_EQ(fetch->response.body, "hello");
  EXPECT_EQ(server.requests().back(), fetch->response.request_head);
  const auto dead = fetcher.Get(ByName("http://name.test:" + std::to_string(FreePort()) + "/"));
  EXPECT_EQ(OutcomeName(dead->response.outcome), "proxy") << dead->response.message;
}

TEST(ProxyTest, TunnelsTls) {
  const std::string missing = MissingForNginx();
  ASSERT_EQ(missing, "") << "is in packages.txt";
  TestCertificates certificates;
  NginxServer nginx("server { listen 127.0.0.1:PORT0 ssl http2; " + certificates.Directives("good") + "}");
  nginx.AddFile("page.txt", "a page\n");
  ScriptedServer proxy(HttpProxy);
  TestFetcher fetcher({.authorities = certificates.authority(), .proxy = proxy.Url()});
  const std::string url = "https://good.test:" + std::to_string(nginx.port(0)) + "/page.txt";
  const auto fetch = fetcher.Get(ByName(url));
  EXPECT_EQ(fetch->response.outcome, Outcome::kOk) << fetch->response.message;
  EXPECT_EQ(fetch->response.body, "a page\n");
  EXPECT_EQ(fetch->response.http_version, 20);
  EXPECT_EQ(fetch->response.certificate, Certificate::kValid);
  EXPECT_EQ(fetch->response.head.find("X-Proxy"), std::string::npos);
  EXPECT_TRUE(fetcher.Get(ByName(url))->response.reused_connection);
  const auto dead = fetcher.Get(ByName("https://good.test:" + std::to_string(FreePort()) + "/"));
  EXPECT_EQ(OutcomeName(dead->response.outcome), "proxy") << dead->response.message;
}

TEST(ProxyTest, GuardsWhatItKnowsOfTheTarget) {
  ScriptedServer proxy(HttpProxy);
  Collector collector;
  // The proxy itself is on loopback, to which the guard refuses all other connections.
  auto fetcher = OpenCurlFetcher({.proxy = proxy.Url()});
  ASSERT_TRUE(fetcher.ok());
  (*fetcher)->Start(collector);
  const auto get = [&](std::unique_ptr<Fetch> fetch) {
    (*fetcher)->Submit(std::move(fetch));
    return collector.Take(1).front()->response.outcome;
  };
  EXPECT_EQ(get(ByName("http://name.test/")), Outcome::kOk);
  EXPECT_EQ(get(MakeFetch("http://name.test/", "8.8.8.8")), Outcome::kOk);
  EXPECT_EQ(get(MakeFetch("http://name.test/", "10.0.0.1")), Outcome::kAddressRefused);
  EXPECT_EQ(get(ByName("http://10.0.0.1/")), Outcome::kAddressRefused);
  EXPECT_EQ(get(ByName("http://[::1]/")), Outcome::kAddressRefused);
}

TEST(ProxyTest, TellsOfAProxyThatIsNotThere) {
  TestFetcher fetcher({.proxy = "http://127.0.0.1:" + std::to_string(FreePort())});
  EXPECT_EQ(fetcher.Get(ByName("http://name.test/"))->response.outcome, Outcome::kProxy);
}

}  // namespace
}  // namespace crivello::fetch
