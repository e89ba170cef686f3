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
  std::vector<std::string> arguments = {};  // the program first, by its name or path
  std::string_view input = {};              // its standard input
  std::chrono::milliseconds max_time = std::chrono::seconds(20);
  size_t max_output_bytes = size_t{64} << 20;
  size_t max_memory_bytes = size_t{1} << 30;  // of address space
};

// How well a subprocess is shut in, on this machine.
enum class Sandbox : uint8_t {
  kBubblewrap,  // sees /usr alone, read-only; no network, no other process, no capability
  kNamespace,   // no network; sees the files that this process may read
  kLimits,      // limits alone: neither bubblewrap nor a namespace is permitted here
};
std::string_view SandboxName(Sandbox sandbox);
// The best that works: found by trying, once.  Thread-safe.
Sandbox BestSandbox();

// Runs a program that is not ours on bytes that are not ours: standard input in, standard output back.
//
// Time (wall clock and processor), memory, output and files written are limited; at a limit, as at the end,
// the whole process group is killed.  It is shut in as well as this machine permits; its environment is empty
// but for PATH and LANG.
//
// An error says why, by the program's name: NotFound if it is not installed, Corruption if it failed on this
// input or went beyond a limit ("pdftotext took more than 20 s"), with the first line of its standard error.
// Blocks.  Thread-safe: between fork and exec nothing but system calls.
Result<std::string> RunSubprocess(const SubprocessOptions& options);
// The same in a sandbox of the caller's choice.
Result<std::string> RunSubprocessIn(Sandbox sandbox, const SubprocessOptions& options);

}  // namespace crivello::text
