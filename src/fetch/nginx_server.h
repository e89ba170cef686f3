// SPDX-License-Identifier: Apache-2.0
// nginx on loopback, with certificates generated on the fly, for tests; included by _test.cc files only.
#pragma once

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/test_support.h"
#include "fetch/scripted_server.h"

extern char** environ;

namespace crivello::fetch {

inline bool HasProgram(const std::string& name) {
  return std::system(("command -v " + name + " >/dev/null 2>&1").c_str()) == 0;
}

// A port of 127.0.0.1 that was free a moment ago.
inline uint16_t FreePort() {
  const auto [fd, port] = BindLoopback(SOCK_STREAM, "127.0.0.1");
  ::close(fd);
  return port;
}

inline std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The first missing program because of which a test must be skipped, or "".
inline std::string MissingForNginx() {
  setenv("PATH", (std::string(std::getenv("PATH")) + ":/usr/sbin").c_str(), 1);
  for (const char* program : {"nginx", "openssl"}) {
    if (!HasProgram(program)) return program;
  }
  return "";
}

// An authority and server certificates NAME.pem, NAME.key: good (good.test, other.test), expired, wronghost
// (elsewhere.test), selfsigned.
class TestCertificates {
 public:
  TestCertificates() {
    const std::string script = R"(set -e; cd )" + folder_.path() + R"(
      key() { openssl ecparam -name prime256v1 -genkey -noout -out $1.key; }
      key ca; openssl req -x509 -new -key ca.key -subj '/CN=test authority' -days 30 -out ca.pem
      sign() { # name, days, alternative names
        key $1; openssl req -new -key $1.key -subj "/CN=$1" -out $1.csr
        echo "subjectAltName=$3" > $1.ext
        openssl x509 -req -in $1.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days $2 -extfile $1.ext -out $1.pem
      }
      sign good 30 DNS:good.test,DNS:other.test,IP:127.0.0.1
      sign expired -1 DNS:good.test
      sign wronghost 30 DNS:elsewhere.test
      key selfsigned
      openssl req -x509 -new -key selfsigned.key -subj '/CN=good.test' -addext subjectAltName=DNS:good.test \
        -days 30 -out selfsigned.pem
    )";
    Require(std::system(("(" + script + ") >" + (folder_ / "log") + " 2>&1").c_str()) == 0, "openssl");
  }
  std::string authority() const { return folder_ / "ca.pem"; }
  // The nginx directives for one of them.
  std::string Directives(const std::string& name) const {
    return "ssl_certificate " + (folder_ / (name + ".pem")) + "; ssl_certificate_key " +
           (folder_ / (name + ".key")) + ";\n";
  }

 private:
  TemporaryFolder folder_;
};

// Runs nginx with these server blocks; "PORT0" ... "PORT9" in them are replaced by free ports.  access() has
// one line per request: connection, requests on it, protocol, TLS version, "r" if the session was resumed,
// status, uri.
class NginxServer {
 public:
  explicit NginxServer(std::string servers) {
    for (size_t i = 0; i < 10; i++) {
      const std::string name = "PORT" + std::to_string(i);
      size_t at = servers.find(name);
      ports_.push_back(at == servers.npos ? uint16_t{0} : FreePort());
      for (; at != servers.npos; at = servers.find(name))
        servers.replace(at, name.size(), std::to_string(ports_[i]));
    }
    std::filesystem::create_directory(folder_ / "www");
    std::ofstream(folder_ / "nginx.conf")
        << "user root; daemon off; master_process off; pid nginx.pid;\n"
           "error_log error.log; events { worker_connections 256; }\n"
           "http {\n"
           "log_format line '$connection $connection_requests $server_protocol "
           "$ssl_protocol $ssl_session_reused $status $request_uri';\n"
           "access_log access.log line;\n"
           "client_body_temp_path t1; proxy_temp_path t2; fastcgi_temp_path t3;\n"
           "uwsgi_temp_path t4; scgi_temp_path t5;\n"
           "root www;\n"
        << servers << "}\n";
    std::string program = "nginx", prefix = "-p", folder = folder_.path(), config = "-c", file = "nginx.conf",
                early = "-e", log = "error.log";
    char* arguments[] = {program.data(), prefix.data(), folder.data(), config.data(),
                         file.data(),    early.data(),  log.data(),    nullptr};
    Require(::posix_spawnp(&pid_, "nginx", nullptr, nullptr, arguments, environ) == 0, "nginx");
    for (const uint16_t port : ports_) {
      if (port != 0) WaitFor(port);
    }
  }
  NginxServer(const NginxServer&) = delete;
  ~NginxServer() {
    ::kill(pid_, SIGTERM);
    ::waitpid(pid_, nullptr, 0);
  }

  uint16_t port(size_t i) const { return ports_[i]; }
  void AddFile(const std::string& name, const std::string& content) const {
    std::ofstream(folder_ / ("www/" + name), std::ios::binary) << content;
  }
  std::string access() const { return ReadFile(folder_ / "access.log"); }

 private:
  void WaitFor(uint16_t port) const {
    for (int i = 0; i < 500; i++) {
      const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
      const sockaddr_in in = LoopbackAddress("127.0.0.1", port);
      const bool up = ::connect(fd, reinterpret_cast<const sockaddr*>(&in), sizeof in) == 0;
      ::close(fd);
      if (up) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    std::fputs(ReadFile(folder_ / "error.log").c_str(), stderr);
    Require(false, "nginx did not start");
  }

  TemporaryFolder folder_;
  std::vector<uint16_t> ports_;
  pid_t pid_ = 0;
};

}  // namespace crivello::fetch
