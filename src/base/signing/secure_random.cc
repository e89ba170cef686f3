// SPDX-License-Identifier: Apache-2.0
#include "base/signing/secure_random.h"

#include <sys/random.h>

#include <cerrno>
#include <cstdlib>

namespace crivello {

uint64_t SecureRandom::Next() {
  uint64_t word = 0;
  // Of so few bytes the kernel gives all or none.  A kernel without the call is older than any that Debian 12
  // has; a guess instead of a secret is worse than no program.
  while (::getrandom(&word, sizeof word, 0) != static_cast<ssize_t>(sizeof word)) {
    if (errno != EINTR) std::abort();
  }
  return word;
}

std::string RandomBytes(Random& random, size_t bytes) {
  std::string text;
  while (text.size() < bytes) {
    uint64_t word = random.Next();
    for (int i = 0; i < 8 && text.size() < bytes; ++i, word >>= 8) text += static_cast<char>(word & 0xff);
  }
  return text;
}

}  // namespace crivello
