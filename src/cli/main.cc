// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/large_blocks.h"
#include "cli/command.h"
#include "cli/writer.h"

namespace {

// If the program was started with a standard file closed, the next file that it opens would get that number,
// and output would go into, say, the collection.  So this occupies the number, in the wrong direction:
// reading standard input and writing standard output fail with EBADF, as if the file was still closed.
void OccupyClosedStandardFiles() {
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(file, F_GETFD) >= 0 || errno != EBADF) continue;
    [[maybe_unused]] const int same = open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

// The standard library throws if memory or threads run out, also in threads where no code of ours could catch
// it.  Ending then does no more harm than `kill -9`, so the process says why and exits.  Any other exception
// is a defect, and aborts as usual.
const std::terminate_handler kAbort = std::get_terminate();
[[noreturn]] void EndWithoutResources() noexcept {
  // There may be no memory left, so use only write(2).
  const auto end = [](std::string_view what) {
    for (const std::string_view part :
         {std::string_view("crivello: "), what,
          std::string_view(
              "; lower --memory, or raise the limits of the process (ulimit -v, ulimit -u)\n")}) {
      [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, part.data(), part.size());
    }
    _exit(crivello::cli::kIoFailure);
  };
  if (const std::exception_ptr thrown = std::current_exception()) {
    try {
      std::rethrow_exception(thrown);
    } catch (const std::bad_alloc&) {
      end("out of memory");
    } catch (const std::system_error& error) {
      if (error.code() == std::errc::resource_unavailable_try_again) end("cannot start a thread");
    } catch (...) {
    }
  }
  kAbort();
  _exit(crivello::cli::kIoFailure);  // kAbort does not return
}

}  // namespace

int main(int argc, char** argv) {
  OccupyClosedStandardFiles();
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe must not end a crawl: see cli/writer.h
  std::signal(SIGXFSZ, SIG_IGN);  // exceeding the file size limit becomes a failed write: EFBIG
  std::set_terminate(EndWithoutResources);
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
