// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "base/large_blocks.h"
#include "cli/command.h"
#include "cli/writer.h"

namespace {

// If the program was started with a standard file closed, the next file that it opens would get that number,
// and what it prints would go into, say, the collection.  So the number is taken, the wrong way round:
// reading standard input and writing standard output fail with EBADF, as if the file were still closed.
void OccupyClosedStandardFiles() {
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(file, F_GETFD) >= 0 || errno != EBADF) continue;
    [[maybe_unused]] const int same = open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

}  // namespace

int main(int argc, char** argv) {
  OccupyClosedStandardFiles();
  std::signal(SIGPIPE, SIG_IGN);  // a reader that goes must not end a crawl: see cli/writer.h
  crivello::ReturnLargeBlocks();
  std::vector<std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (std::string_view(*entry).starts_with("CRIVELLO_")) variables.emplace_back(*entry);
  }
  using crivello::cli::Writer;
  Writer out(stdout);
  Writer err(stderr, Writer::AfterError::kTryAgain);
  return crivello::cli::Main(argc, argv, out, err, std::move(variables));
}
