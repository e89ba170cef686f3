// SPDX-License-Identifier: Apache-2.0
// Whole crawls over TLS and with a DNS server of our own.
#include "crawl_scenario.h"
#include "fetch/dns_server.h"
#include "fetch/nginx_server.h"

namespace crivello {
namespace {

using fetch::DnsAnswer;
using fetch::DnsServer;
using fetch::IpAddress;
using fetch::NginxServer;
using fetch::ScriptedServer;
using testing::AllOf;
using testing::HasSubstr;

class NetworkTest : public CrawlScenario {
 protected:
  std::vector<std::string> Arguments(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments = {"crawl", "--delay",  "10ms", "--ip-delay", "1ms", "--min-free",
                                          "1M",    "--memory", "32M",  "--max-time", "4s",  "--quiet"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  int StatusOf(const std::string& url) const {
    if (Run({"get", url, "--json"}) != 0) return 0;
    return Lines().front()["versions"][0]["status"];
  }
  // The notes of `report` about a host.
  std::string NoteOf(const std::string& host) const {
    EXPECT_EQ(Run({"report", "--json"}), 0);
    for (const json& line : Lines()) {
      if (line.contains("host") && line["host"] == host) return line["note"];
    }
    return "";
  }
};

TEST_F(NetworkTest, CrawlsOverTlsAndTellsOfABadCertificate) {
  const std::string missing = fetch::MissingForNginx();
  ASSERT_EQ(missing, "") << "is in packages.txt";
  const fetch::TestCertificates certificates;
  const auto tls = [&](const std::string& port, const std::string& certificate) {
    return "server { listen 127.0.0.1:" + port + " ssl; " + certificates.Directives(certificate) + "}\n";
  };
  const NginxServer nginx(tls("PORT0", "good") + tls("PORT1", "wronghost"));
  nginx.AddFile("index.html", "<a href=/second.html>second</a>");
  nginx.AddFile("second.html", "the second page");
  std::ofstream(folder_ / "tls-hosts") << "127.0.0.1 good.test\n127.0.0.1 other.test\n";
  const std::string good = "https://good.test:" + std::to_string(nginx.port(0));
  const std::string bad = "https://other.test:" + std::to_string(nginx.port(1));
  const std::vector<std::string> arguments =
      Arguments({good + "/", bad + "/", "--allow-private", "--hosts-file", folder_ / "tls-hosts",
                 "--authorities", certificates.authority()});
  ASSERT_EQ(Run(arguments), 0) << Text("err");
  EXPECT_EQ(StatusOf(good + "/second.html"), 200);
  EXPECT_EQ(StatusOf(bad + "/"), 0);
  EXPECT_THAT(NoteOf("other.test"), HasSubstr("certificate"));
  ASSERT_EQ(Run({"why", bad + "/"}), 0);
  EXPECT_THAT(Text("out"), HasSubstr("certificate"));
}

TEST_F(NetworkTest, NotesABadCertificateAndGoesOnIfTold) {
  const std::string missing = fetch::MissingForNginx();
  ASSERT_EQ(missing, "") << "is in packages.txt";
  const fetch::TestCertificates certificates;
  const NginxServer nginx("server { listen 127.0.0.1:PORT0 ssl; " + certificates.Directives("expired") +
                          "}\n");
  nginx.AddFile("index.html", "a page");
  std::ofstream(folder_ / "tls-hosts") << "127.0.0.1 good.test\n";
  const std::string url = "https://good.test:" + std::to_string(nginx.port(0)) + "/";
  ASSERT_EQ(Run(Arguments({url, "--allow-private", "--hosts-file", folder_ / "tls-hosts", "--authorities",
                           certificates.authority(), "--any-certificate"})),
            0)
      << Text("err");
  EXPECT_EQ(StatusOf(url), 200);
  ASSERT_EQ(Run({"why", url}), 0);
  EXPECT_THAT(Text("out"), AllOf(HasSubstr("certificate"), HasSubstr("expired")));
}

TEST_F(NetworkTest, AnAnswerThatIsPrivateIsRefusedAndToldSo) {
  ScriptedServer server(ScriptedServer::Always("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"));
  DnsServer dns([](const std::string& name) {
    if (name == "missing.test") return DnsAnswer{.rcode = 3};
    if (name == "mapped.test") return DnsAnswer{.addresses = {*IpAddress::Parse("::ffff:127.0.0.1")}};
    return DnsAnswer{.addresses = {*IpAddress::Parse("127.0.0.1")}};
  });
  const std::string port = std::to_string(server.port());
  std::vector<std::string> seeds;
  for (const char* name : {"private.test", "mapped.test", "missing.test"}) {
    seeds.push_back(std::string("http://") + name + ":" + port + "/");
  }
  std::vector<std::string> arguments = Arguments({"--dns", dns.address(), "--contact", "test@example.org"});
  arguments.insert(arguments.end(), seeds.begin(), seeds.end());
  ASSERT_EQ(Run(arguments), 4) << Text("err");  // no seed could be fetched
  EXPECT_EQ(server.connections(), 0);
  EXPECT_GT(dns.Asked("private.test"), 0);
  for (size_t i : {0u, 1u}) {
    ASSERT_EQ(Run({"why", seeds[i]}), 0);
    EXPECT_THAT(Text("out"), HasSubstr("loopback")) << seeds[i];
  }
  ASSERT_EQ(Run({"why", seeds[2]}), 0);
  EXPECT_THAT(Text("out"), HasSubstr("its host missing.test was given up"));
}

}  // namespace
}  // namespace crivello
