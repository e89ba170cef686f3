// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "cli/command.h"

int main(int argc, char** argv) { return crivello::cli::Main(argc, argv, stdout, stderr); }
