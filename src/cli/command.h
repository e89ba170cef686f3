// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/status.h"
#include "cli/logger.h"
#include "cli/writer.h"

namespace CLI {
class App;
}

namespace crivello::cli {

// The exit codes of the program; scripts rely on these.
enum ExitCode {
  kDone = 0,
  kNothingFound = 1,  // nothing found, or a check failed
  kWrongUsage = 2,
  kBadData = 3,
  kIoFailure = 4,     // files or network
  kReaderGone = 141,  // the reader of our output has gone: 128 + SIGPIPE, as if the signal had ended us
};

// A setting for one host, from a file.
struct HostOption {
  std::vector<std::string> values;
  std::string origin;  // "FILE:LINE"
};

// The options common to all commands, and their outputs.
struct Session {
  bool json = false;
  bool quiet = false;
  Writer* out = nullptr;  // results
  Writer* err = nullptr;  // progress, warnings, errors
  std::string log_format = "plain";
  std::string log_level = "info";
  std::shared_ptr<Logger> log;            // events, to `err`; set when a command runs
  std::string collection = "collection";  // -C: the folder of the collection
  std::string config;                     // --config: a file of options
  std::vector<std::string> arguments;     // of the command line, without the program name
  std::vector<std::string> environment;   // "CRIVELLO_X=value": the variables that are set
  // The tables [host."NAME"] of the files, by name and option.
  std::map<std::string, std::map<std::string, HostOption>> hosts;
  // The action of the chosen command; set when its subcommand is parsed, run after all options are known.
  std::function<Result<int>()> run;
};

// Parses, runs, and reports an error; returns the exit code of the program. `environment` has the
// variables that set options, "CRIVELLO_X=value". If results cannot be written, it ends with
// kReaderGone silently, or with kIoFailure and a message; failures to write to `err` have no
// effect.
int Main(int argc, const char* const* argv, Writer& out, Writer& err,
         std::vector<std::string> environment = {});

int ExitCodeOf(const Status& status);

// Makes `command` (a subcommand) run `action` once the command line was parsed.
void Runs(CLI::App& command, Session& session, std::function<Result<int>()> action);

}  // namespace crivello::cli
