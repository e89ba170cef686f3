// SPDX-License-Identifier: Apache-2.0
// The crawler as a user runs it, on the built-in web: starts, stops, kills and queries the program.
#pragma once

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/test_paths.h"
#include "base/test_support.h"
#include "demo/web_server.h"

namespace crivello {

using nlohmann::json;

// Starts a program in a child of this process.  This process has several threads, one of which may hold a
// lock of the allocator forever in the child, so `prepare` must not allocate there.
template <typename Prepare>
pid_t StartProgram(std::vector<std::string> arguments, const Prepare& prepare) {
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child != 0) return child;
  prepare();
  execv(argv[0], argv.data());
  _exit(98);
}

// For use in such a child: opens a new file as the given descriptor.
inline void DirectTo(const std::string& path, int number) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0 || dup2(file, number) < 0) _exit(99);
}

class CrawlScenario : public testing::Test {
 protected:
  void SetUp() override {
    server_ = demo::WebServer::Start().value();
    std::ofstream hosts(folder_ / "hosts");
    hosts << demo::BuiltInWeb::HostsFile();
    std::ofstream seeds(folder_ / "seeds");
    for (const std::string& seed : server_->web().Seeds()) seeds << seed << "\n";
  }

  std::vector<std::string> CrawlArguments() const {
    return {"crawl",      "--seeds", folder_ / "seeds", "--hosts-file", folder_ / "hosts", "--allow-private",
            "--delay",    "20ms",    "--ip-delay",      "5ms",          "--max-per-host",  "300",
            "--back-off", "200ms",   "--min-free",      "1M",           "--memory",        "32M",
            "--quiet"};
  }

  // Starts the program on the collection; its output goes to files.
  pid_t Start(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {ProgramPath(), "-C", folder_ / "collection"});
    const std::string out = folder_ / "out", err = folder_ / "err";
    return StartProgram(std::move(arguments), [&] {
      DirectTo(out, STDOUT_FILENO);
      DirectTo(err, STDERR_FILENO);
    });
  }
  static int Wait(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 100 + WTERMSIG(status);
  }
  int Run(const std::vector<std::string>& arguments) const { return Wait(Start(arguments)); }
  std::string Text(const std::string& name) const {
    std::ifstream file(folder_ / name);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }
  std::vector<json> Lines() const {
    std::vector<json> lines;
    std::istringstream out(Text("out"));
    for (std::string line; std::getline(out, line);) lines.push_back(json::parse(line));
    return lines;
  }
  // The rows by status, without the endless calendar.
  std::map<std::string, int> Rows() const {
    EXPECT_EQ(Run({"scan", "--json"}), 0) << Text("err");
    std::map<std::string, int> rows;
    for (const json& line : Lines()) {
      const std::string url = line["url"];
      if (!server_->web().IsTrap(url)) rows[url] = line["status"];
    }
    return rows;
  }
  std::vector<std::string> RowsWith(int status) const {
    std::vector<std::string> urls;
    for (const auto& [url, answered] : Rows()) {
      if (answered == status && url.find("sitemap") == std::string::npos) urls.push_back(url);
    }
    return urls;
  }

  TemporaryFolder folder_;
  std::unique_ptr<demo::WebServer> server_;
};

}  // namespace crivello
