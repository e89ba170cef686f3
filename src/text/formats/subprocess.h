// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace crivello::text {

struct SubprocessOptions {
  std::vector<std::string> arguments = {};  // the program first, by name or path
  std::string_view input = {};              // its standard input
  std::chrono::milliseconds max_time = std::chrono::seconds(20);
  size_t max_output_bytes = size_t{64} << 20;
  size_t max_memory_bytes = size_t{1} << 30;  // address space
};

// How strongly a subprocess is isolated, on this machine.
enum class Sandbox : uint8_t {
  kBubblewrap,  // sees only /usr, read-only; no network, other processes or capabilities
  kNamespace,   // no network; sees the files that this process can read
  kLimits,      // only resource limits: neither bubblewrap nor a namespace is permitted here
};
std::string_view SandboxName(Sandbox sandbox);
// The strongest one that works here, found by trying, once. Thread-safe.
Sandbox BestSandbox();

// Runs a foreign program on foreign bytes: writes its standard input, returns its standard output.
//
// Time (wall clock and CPU), memory, output and written files are limited. At a limit, and also at the end,
// the whole process group is killed. It is isolated as strongly as this machine permits, with an environment
// of only PATH and LANG.
//
// An error gives the reason and the program's name: NotFound if it is not installed, Corruption if it failed
// on this input or exceeded a limit ("pdftotext took more than 20 s"), with the first line of its standard
// error. Blocks. Thread-safe: only system calls between fork and exec.
Result<std::string> RunSubprocess(const SubprocessOptions& options);
// The same in a given sandbox.
Result<std::string> RunSubprocessIn(Sandbox sandbox, const SubprocessOptions& options);

}  // namespace crivello::text
