// SPDX-License-Identifier: Apache-2.0
// The fetcher against a real server: TLS 1.2 and 1.3, good and bad certificates, session resumption, HTTP/2,
// kept connections, conditional requests.
#include <gtest/gtest.h>

#include "fetch/collector.h"
#include "fetch/nginx_server.h"
#include "web/http/http_message.h"

namespace crivello::fetch {
namespace {

class NginxTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    missing_ = MissingForNginx();
    if (!missing_.empty()) return;
    certificates_ = std::make_unique<TestCertificates>();
    const auto tls = [&](const char* port, const char* certificate, const char* more) {
      return std::string("server { listen 127.0.0.1:") + port + " ssl" + more +
             certificates_->Directives(certificate) +
             "ssl_session_cache shared:tests:1m; keepalive_timeout 60s; }\n";
    };
    nginx_ = std::make_unique<NginxServer>(
        "server { listen 127.0.0.1:PORT0; gzip on; gzip_min_length 1; gzip_types text/plain; }\n" +
        tls("PORT1", "good", "; ssl_protocols TLSv1.2; ") +
        tls("PORT2", "good", "; ssl_protocols TLSv1.3; ") + tls("PORT3", "good", " http2; ") +
        tls("PORT4", "expired", "; ") + tls("PORT5", "wronghost", "; ") + tls("PORT6", "selfsigned", "; ") +
        tls("PORT7", "good", "; ssl_protocols TLSv1.2; ssl_ciphers NULL; "));
    nginx_->AddFile("page.txt", "a page\n");
    nginx_->AddFile("large.txt", std::string(3'000'000, 'x'));
  }
  static void TearDownTestSuite() {
    nginx_.reset();
    certificates_.reset();
  }
  void SetUp() override { ASSERT_EQ(missing_, "") << "is in packages.txt"; }

  static CurlFetcherOptions Trusting() { return {.authorities = certificates_->authority()}; }
  static std::string Https(size_t port, const std::string& path = "/page.txt",
                           const char* host = "good.test") {
    return std::string("https://") + host + ":" + std::to_string(nginx_->port(port)) + path;
  }
  static std::string Http(const std::string& path) {
    return "http://good.test:" + std::to_string(nginx_->port(0)) + path;
  }
  // The lines of the access log for a path, once there are this many: nginx may write one after the client
  // has read the response.
  static std::vector<std::string> Log(const std::string& path, size_t count) {
    std::vector<std::string> lines;
    for (int i = 0; i < 500 && lines.size() < count; i++) {
      if (i > 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
      lines.clear();
      std::istringstream access(nginx_->access());
      for (std::string line; std::getline(access, line);) {
        if (line.find(path) != line.npos) lines.push_back(line);
      }
    }
    EXPECT_EQ(lines.size(), count);
    return lines;
  }

  static inline std::string missing_;
  static inline std::unique_ptr<TestCertificates> certificates_;
  static inline std::unique_ptr<NginxServer> nginx_;
};

TEST_F(NginxTest, SpeaksTls12And13) {
  TestFetcher fetcher(Trusting());
  for (const size_t port : {1u, 2u}) {
    const Response response = fetcher.Get(Https(port, "/page.txt?tls" + std::to_string(port)));
    EXPECT_EQ(response.outcome, Outcome::kOk) << response.message;
    EXPECT_EQ(response.body, "a page\n");
    EXPECT_EQ(response.http_version, 11);
    EXPECT_EQ(response.certificate, Certificate::kValid);
    EXPECT_GT(response.timings.encrypted, response.timings.connected);
  }
  EXPECT_NE(Log("?tls1", 1).at(0).find("TLSv1.2"), std::string::npos);
  EXPECT_NE(Log("?tls2", 1).at(0).find("TLSv1.3"), std::string::npos);
}

TEST_F(NginxTest, RefusesBadCertificates) {
  TestFetcher fetcher(Trusting());
  for (const size_t port : {4u, 5u, 6u}) {
    const Response response = fetcher.Get(Https(port));
    EXPECT_EQ(OutcomeName(response.outcome), "certificate") << port;
    EXPECT_FALSE(response.message.empty());
    EXPECT_EQ(response.body, "");
    EXPECT_EQ(response.head, "");
  }
  EXPECT_NE(fetcher.Get(Https(4)).message.find("expired"), std::string::npos);
  // An authority that we do not trust.
  TestFetcher other;
  EXPECT_EQ(OutcomeName(other.Get(Https(1)).outcome), "certificate");
}

TEST_F(NginxTest, GoesOnWithBadCertificatesIfTold) {
  CurlFetcherOptions options = Trusting();
  options.certificates = CertificatePolicy::kNote;
  TestFetcher fetcher(options);
  EXPECT_EQ(fetcher.Get(Https(1)).certificate, Certificate::kValid);
  for (const size_t port : {4u, 5u, 6u}) {
    for (int i = 0; i < 3; i++) {
      const Response response = fetcher.Get(Https(port, "/page.txt?noted" + std::to_string(port)));
      EXPECT_EQ(response.outcome, Outcome::kOk) << response.message;
      EXPECT_EQ(response.body, "a page\n");
      EXPECT_EQ(response.certificate, Certificate::kInvalid);
      EXPECT_NE(response.certificate_message, "");
      // The certificate is known by now, and the connection is reused.
      EXPECT_EQ(response.reused_connection, i > 0);
    }
  }
}

TEST_F(NginxTest, TellsAFailedHandshakeAndNoTlsAtAll) {
  TestFetcher fetcher(Trusting());
  EXPECT_EQ(OutcomeName(fetcher.Get(Https(0)).outcome), "tls");  // the port of plain HTTP
  const Response plain = fetcher.Get("http://good.test:" + std::to_string(nginx_->port(1)) + "/page.txt");
  EXPECT_EQ(plain.status, 400);  // nginx: "The plain HTTP request was sent to HTTPS port"
}

TEST_F(NginxTest, UsesHttp2WhereItIsOffered) {
  TestFetcher fetcher(Trusting());
  const Response response = fetcher.Get(Https(3, "/page.txt?h2"));
  EXPECT_EQ(response.outcome, Outcome::kOk) << response.message;
  EXPECT_EQ(response.http_version, 20);
  EXPECT_EQ(response.body, "a page\n");
  EXPECT_TRUE(response.head.starts_with("HTTP/2 200 \r\n")) << response.head;
  EXPECT_TRUE(response.head.ends_with("\r\n\r\n"));
  EXPECT_NE(Log("?h2", 1).at(0).find("HTTP/2.0"), std::string::npos);

  // Many at once, over few connections, truncated if they are too long.
  constexpr size_t kCount = 60;
  for (size_t i = 0; i < kCount; i++) {
    auto fetch = MakeFetch(Https(3, i % 3 == 0 ? "/large.txt" : "/page.txt"));
    fetch->id = i;
    fetch->request.limits.body_bytes = 100'000;
    fetcher->Submit(std::move(fetch));
  }
  for (const auto& fetch : fetcher.collector().Take(kCount)) {
    const bool large = fetch->id % 3 == 0;
    EXPECT_EQ(OutcomeName(fetch->response.outcome), large ? "body-too-large" : "ok")
        << fetch->response.message;
    EXPECT_EQ(fetch->response.body.size(), large ? 100'000 : 7);
  }
  EXPECT_LE(fetcher->stats().connections, 16u);

  CurlFetcherOptions without = Trusting();
  without.http2 = false;
  TestFetcher old(without);
  EXPECT_EQ(old.Get(Https(3)).http_version, 11);
}

TEST_F(NginxTest, KeepsConnectionsAsTheServerCounts) {
  TestFetcher fetcher(Trusting());
  for (const std::string& url :
       {Http("/page.txt?kept"), Https(1, "/page.txt?kept"), Https(2, "/page.txt?kept")}) {
    for (int i = 0; i < 5; i++) EXPECT_EQ(fetcher.Get(url).reused_connection, i > 0);
  }
  const auto lines = Log("?kept", 15);
  for (size_t i = 0; i < lines.size(); i++) {
    // "connection requests ...": the number of requests on the connection increases.
    EXPECT_EQ(lines[i].substr(lines[i].find(' ') + 1, 2), std::to_string(i % 5 + 1) + " ") << lines[i];
  }
}

TEST_F(NginxTest, ResumesTlsSessions) {
  TestFetcher fetcher(Trusting());
  for (const size_t port : {1u, 2u}) {
    const std::string path = "/page.txt?resumed" + std::to_string(port);
    for (int i = 0; i < 4; i++) {
      auto fetch = MakeFetch(Https(port, path));
      fetch->request.keep_alive = false;
      EXPECT_TRUE(fetcher.Get(std::move(fetch))->response.ok());
    }
    const auto lines = Log(path, 4);
    for (size_t i = 0; i < lines.size(); i++)
      EXPECT_EQ(lines[i].find(" r ") != std::string::npos, i > 0) << lines[i];
  }
}

TEST_F(NginxTest, AsksConditionally) {
  TestFetcher fetcher(Trusting());
  const Response first = fetcher.Get(Http("/page.txt"));
  const auto head = web::ParseHttpResponse(first.head);
  for (const auto& [request, response] :
       {std::pair{"If-None-Match", "ETag"}, {"If-Modified-Since", "Last-Modified"}}) {
    auto fetch = MakeFetch(Http("/page.txt"));
    fetch->request.fields = {{request, std::string(head.fields.Find(response).value())}};
    fetch = fetcher.Get(std::move(fetch));
    EXPECT_EQ(fetch->response.status, 304) << request;
    EXPECT_TRUE(fetch->response.ok());
    EXPECT_EQ(fetch->response.body, "");
  }
}

TEST_F(NginxTest, KeepsTheContentCoding) {
  TestFetcher fetcher(Trusting());
  const Response response = fetcher.Get(Http("/page.txt"));
  EXPECT_TRUE(response.ok());
  EXPECT_EQ(web::ParseHttpResponse(response.head).fields.Find("Content-Encoding"), "gzip");
  EXPECT_TRUE(response.body.starts_with("\x1f\x8b"));
}

TEST_F(NginxTest, TakesLargeBodies) {
  TestFetcher fetcher(Trusting());
  for (const size_t port : {1u, 2u, 3u}) {
    const Response response = fetcher.Get(Https(port, "/large.txt"));
    EXPECT_TRUE(response.ok()) << response.message;
    EXPECT_EQ(response.body, std::string(3'000'000, 'x'));
  }
}

}  // namespace
}  // namespace crivello::fetch
