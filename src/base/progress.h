// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
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

// Hears what the library finds and does while it works for someone.  The library never prints: the program
// decides what a person sees.  Called in the thread that works.
class Listener {
 public:
  virtual ~Listener() = default;
  // Something that the operator should know.  `event` is its name for scripts ("archive.repaired"),
  // `sentence` is for people.
  virtual void Warn(std::string_view event, const std::string& sentence) = 0;
  // For work that takes long; destroyed when that has ended.
  virtual std::unique_ptr<Progress> NewProgress() = 0;
  // Nobody waits for the result any more: work that changes nothing may end.
  virtual bool Gone() const { return false; }
};

// Tells no one.
class SilentListener final : public Listener {
 public:
  void Warn(std::string_view /*event*/, const std::string& /*sentence*/) override {}
  std::unique_ptr<Progress> NewProgress() override { return std::make_unique<SilentProgress>(); }
};

}  // namespace crivello
