// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace crivello {

// Where a long operation tells how far it is.  The library never prints: it calls this, and the program
// decides what a person sees.  Thread-safe; Advance is cheap enough for once per block of work, not per item.
class Progress {
 public:
  virtual ~Progress() = default;
  // A phase begins: what is being done ("hashing keys"), of how many units (0: not known).
  virtual void Start(std::string_view what, uint64_t total) = 0;
  virtual void Advance(uint64_t units) = 0;
  // The phase is over.
  virtual void Finish() = 0;
};

// Tells no one.
class SilentProgress final : public Progress {
 public:
  void Start(std::string_view, uint64_t) override {}
  void Advance(uint64_t) override {}
  void Finish() override {}
};

}  // namespace crivello
