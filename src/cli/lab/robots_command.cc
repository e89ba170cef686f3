// SPDX-License-Identifier: Apache-2.0
#include "base/file_system.h"
#include "cli/app.h"
#include "cli/json.h"
#include "cli/output.h"
#include "web/page/robots.h"

namespace crivello::cli {
namespace {

struct RobotsFlags {
  std::string file;
  std::string agent;
  std::string path;
};

Result<int> PrintVerdict(const Session& session, const RobotsFlags& options) {
  CRV_ASSIGN(const std::string text, ReadFile(options.file));
  const web::Robots robots = web::Robots::Parse(text, options.agent);
  const std::string_view path = web::RobotsPathOf(options.path);
  const auto verdict = robots.Check(path);
  // If fetching is not allowed, no preferences of use are shown.
  const std::string usage = verdict.allowed ? robots.UsageOf(path).ToString() : "";
  if (session.json) {
    Json line = {{"path", options.path}, {"agent", options.agent}, {"allowed", verdict.allowed}};
    if (verdict.line != 0) {
      line["line"] = verdict.line;
      line["rule"] = verdict.rule;
    }
    if (const auto delay = robots.crawl_delay_seconds()) line["crawl_delay"] = *delay;
    if (!usage.empty()) line["usage"] = usage;
    line["sitemaps"] = robots.sitemaps();
    PrintJson(session, line);
  } else {
    session.out->Print("{}", verdict.allowed ? "allowed" : "disallowed");
    if (verdict.line != 0) {
      session.out->Print(" by line {}: {}\n", verdict.line, Printable(verdict.rule));
    } else {
      session.out->Print(": no rule matches\n");
    }
    if (const auto delay = robots.crawl_delay_seconds()) session.out->Print("crawl delay {} s\n", *delay);
    if (!usage.empty()) session.out->Print("content usage {}\n", Printable(usage));
    for (const auto& sitemap : robots.sitemaps()) session.out->Print("sitemap {}\n", Printable(sitemap));
  }
  return verdict.allowed ? kDone : kNothingFound;
}

}  // namespace

void AddRobotsCommand(CLI::App& app, Session& session) {
  CLI::App* command =
      app.add_subcommand("robots", "Show whether a robots.txt allows an agent to fetch a path, and why");
  auto options = std::make_shared<RobotsFlags>();
  command->add_option("FILE", options->file, "File with a robots.txt")->required();
  command->add_option("AGENT", options->agent, "Product token of the crawler")->required();
  command->add_option("PATH", options->path, "Path with its query, or URL")->required();
  command->footer(
      "The exit code is 1 if the path is disallowed.\n"
      "\n"
      "Examples:\n"
      "  crivello robots robots.txt crivello /private/page?x=1");
  Runs(*command, session, [&session, options] { return PrintVerdict(session, *options); });
}

}  // namespace crivello::cli
