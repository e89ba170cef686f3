// SPDX-License-Identifier: Apache-2.0
#include "cli/config/serve_flags.h"

#include <fmt/format.h>

#include <chrono>

#include "cli/app.h"
#include "cli/json.h"
#include "cli/version.h"

namespace crivello::cli {
namespace {

// Server errors are for the operator; other requests only appear at a more detailed level.
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
  command.add_option("--listen", flags.listen, "Address and port to listen on (port 0: any free port)")
      ->type_name("ADDRESS:PORT")
      ->capture_default_str()
      ->group("Server");
  command
      .add_option("--name", flags.names, "Host name that requests may use, in addition to the machine's own")
      ->type_name("HOST")
      ->group("Server");
  command.add_option("--keys", flags.keys_file, "File of API keys (docs/api.md)")
      ->type_name("FILE")
      ->group("Server");
  command
      .add_option("--public-url", flags.public_url,
                  "URL under which others reach the server, if it is behind a proxy")
      ->type_name("URL")
      ->group("Server");
  command
      .add_option(
          "--cors", flags.cors,
          "Origin whose pages may search through this server, such as https://www.example.org (*: all)")
      ->type_name("ORIGIN")
      ->group("Server");
  command
      .add_option("--access-log", flags.access_log,
                  "Append a line for each request, without the query and with a shortened address")
      ->type_name("FILE")
      ->group("Server");
  command.add_flag("--no-cached", flags.no_cached, "Do not show cached copies of pages")->group("Server");
  command.add_option("--serve-threads", flags.threads, "Number of requests answered at the same time")
      ->check(CLI::Range(1, 256))
      ->capture_default_str()
      ->group("Server");
}

Result<std::unique_ptr<serve::WebService>> StartServer(const Session& session, ServeFlags flags,
                                                       const serve::Sources& sources) {
  flags.version = kVersion;
  flags.log = [log = session.log.get()](const serve::AccessLine& line) { LogRequest(line, log); };
  CRV_ASSIGN(std::unique_ptr<serve::WebService> web, serve::WebService::Start(flags, sources));
  if (web->answers_any_name()) {
    session.log->Write(
        LogLevel::kWarning, "serve.any_name",
        "the server answers requests for any host name, so a web page that someone here visits "
        "could read search results (DNS rebinding); name the server with --name");
  }
  return web;
}

void PrintOpened(const Session& session, const std::string& url) {
  if (!session.json) return;
  PrintJson(session, {{"event", "open"}, {"url", url}});
  session.out->Flush().IgnoreError();
}

}  // namespace crivello::cli
