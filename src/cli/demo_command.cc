// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "cli/app.h"
#include "cli/collection.h"
#include "cli/crawl_report.h"
#include "cli/crawl_run.h"
#include "cli/output.h"
#include "crawl/why.h"
#include "demo/web_server.h"
#include "web/canonical.h"

namespace crivello::cli {
namespace {

using std::chrono::milliseconds;

// A folder that goes away with this.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "crivello-demo-XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

Result<int> Demo(Session& session, const std::string& keep) {
  const ScratchFolder scratch;
  if (scratch.path().empty()) return Status::IoError("no temporary folder can be made");
  session.collection = keep.empty() ? scratch.path() : keep;

  CRV_ASSIGN(const auto server, demo::WebServer::Start());
  crawl::CrawlOptions options;
  options.seeds = server->web().Seeds();
  for (const demo::HostAddress& host : server->hosts()) {
    const auto address = fetch::IpAddress::Parse(host.address);
    if (address) options.hosts.push_back({*address, std::string(host.name)});
  }
  // It is a web of our own: nobody is bothered, and the traps end soon.
  options.allow_private = true;
  options.politeness.host_delay = milliseconds(20);
  options.politeness.address_delay = milliseconds(5);
  options.politeness.first_back_off = milliseconds(200);
  options.budget.per_host = 200;
  options.memory_bytes = 64 << 20;
  options.min_free_bytes = 16 << 20;
  if (!session.json) {
    fmt::print(session.out, "A web of {} hosts is served on loopback, port {}; Crivello crawls it.\n\n",
               server->hosts().size(), server->port());
  }
  CRV_ASSIGN(const int crawled, RunCrawl(session, std::move(options)));
  if (session.json || crawled != kDone) return crawled;
  fmt::print(session.out, "\n");
  return OnCollection(session, [&](crawl::CrawlStore& store) { return PrintReport(session, store, false); });
}

}  // namespace

void AddDemoCommand(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("demo", "Crawl a small built-in web, with no network, and report");
  auto keep = std::make_shared<std::string>();
  command->add_option("--keep", *keep, "Keep the collection in this folder")->type_name("DIR");
  command->footer(
      "Examples:\n"
      "  crivello demo\n"
      "  crivello demo --keep /tmp/demo && crivello -C /tmp/demo scan");
  Runs(*command, session, [&session, keep] { return Demo(session, *keep); });
}

}  // namespace crivello::cli
