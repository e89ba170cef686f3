// SPDX-License-Identifier: Apache-2.0
#include "cli/config/serve_flags.h"

#include <fmt/format.h>

#include <chrono>

#include "cli/app.h"
#include "cli/json.h"
#include "cli/version.h"

namespace crivello::cli {
namespace {

// What went wrong here is for the operator; the rest is for who looks closely.
void LogRequest(const serve::AccessLine& line, Logger* log) {
  const LogLevel level = line.status == 500 ? LogLevel::kWarning : LogLevel::kDebug;
  if (!log->Wants(level)) return;
  const double milliseconds = std::chrono::duration<double, std::milli>(line.duration).count();
  log->Write(level, "http.request", fmt::format("{} {} {}", line.method, line.path, line.status),
             {{"client", line.client},
              {"method", line.method},
              {"path", line.path},
              {"status", uint64_t{line.status}},
              {"bytes", line.bytes},
              {"milliseconds", milliseconds}});
}

}  // namespace

void AddServeFlags(CLI::App& command, ServeFlags& flags) {
  command.add_option("--listen", flags.listen, "Where to answer; port 0 takes any that is free")
      ->type_name("ADDRESS:PORT")
      ->capture_default_str()
      ->group("Server");
  command
      .add_option("--name", flags.names,
                  "A host name by which it may be called, beside those of this machine")
      ->type_name("HOST")
      ->group("Server");
  command.add_option("--keys", flags.keys_file, "A file of API keys (docs/api.md)")
      ->type_name("FILE")
      ->group("Server");
  command.add_option("--public-url", flags.public_url, "How others reach it, if through a proxy")
      ->type_name("URL")
      ->group("Server");
  command
      .add_option("--access-log", flags.access_log,
                  "Append a line for each request: no query, a shortened address")
      ->type_name("FILE")
      ->group("Server");
  command.add_flag("--no-cached", flags.no_cached, "Show no copies of pages")->group("Server");
  command.add_option("--serve-threads", flags.threads, "Requests answered at one time")
      ->check(CLI::Range(1, 256))
      ->capture_default_str()
      ->group("Server");
}

Result<std::unique_ptr<serve::WebService>> StartServer(const Session& session, ServeFlags flags,
                                                       const serve::Sources& sources) {
  flags.version = kVersion;
  flags.log = [log = session.log.get()](const serve::AccessLine& line) { LogRequest(line, log); };
  return serve::WebService::Start(flags, sources);
}

void PrintOpened(const Session& session, const std::string& url) {
  if (!session.json) return;
  PrintJson(session, {{"event", "open"}, {"url", url}});
  session.out->Flush().IgnoreError();
}

}  // namespace crivello::cli
