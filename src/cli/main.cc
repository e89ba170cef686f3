// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "base/large_blocks.h"
#include "cli/command.h"

int main(int argc, char** argv) {
  crivello::ReturnLargeBlocks();
  std::vector<std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (std::string_view(*entry).starts_with("CRIVELLO_")) variables.emplace_back(*entry);
  }
  return crivello::cli::Main(argc, argv, stdout, stderr, std::move(variables));
}
