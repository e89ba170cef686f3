// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "base/large_blocks.h"
#include "cli/command.h"

int main(int argc, char** argv) {
  crivello::ReturnLargeBlocks();
  return crivello::cli::Main(argc, argv, stdout, stderr);
}
