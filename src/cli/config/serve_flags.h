// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "base/status.h"
#include "cli/command.h"
#include "serve/web_service.h"

namespace crivello::cli {

// The options of `serve` and `up`, as on the command line.
using ServeFlags = serve::WebServiceOptions;
void AddServeFlags(CLI::App& command, ServeFlags& flags);

// Starts the server; its requests go to the log of the session.
Result<std::unique_ptr<serve::WebService>> StartServer(const Session& session, ServeFlags flags,
                                                       const serve::Sources& sources);

// Prints the URL of the server as a line of JSON, for scripts.
void PrintOpened(const Session& session, const std::string& url);

}  // namespace crivello::cli
