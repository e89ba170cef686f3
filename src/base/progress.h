// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace crivello {

// Receives the progress of a long operation. The library never prints; the program decides what to show.
// Thread-safe. Advance is cheap enough for once per block of work, not per item.
class Progress {
 public:
  virtual ~Progress() = default;
  // A phase begins: what is being done ("hashing keys"), and in how many units (0: not known).
  virtual void Start(std::string_view what, uint64_t total) = 0;
  virtual void Advance(uint64_t units) = 0;
  // The phase has ended.
  virtual void Finish() = 0;
};

// Ignores everything.
class SilentProgress final : public Progress {
 public:
  void Start(std::string_view, uint64_t) override {}
  void Advance(uint64_t) override {}
  void Finish() override {}
};

// Receives what the library finds and does while it works for a caller. The library never prints: the program
// decides what to show. Called on the working thread.
class Listener {
 public:
  virtual ~Listener() = default;
  // Something that the operator should know. `event` is a name for scripts ("archive.repaired"), `sentence`
  // is for people.
  virtual void Warn(std::string_view event, const std::string& sentence) = 0;
  // For a long operation; destroyed when that has ended.
  virtual std::unique_ptr<Progress> NewProgress() = 0;
  // Whether nobody waits for the result any more; read-only work may then stop.
  virtual bool Gone() const { return false; }
};

// Ignores everything.
class SilentListener final : public Listener {
 public:
  void Warn(std::string_view /*event*/, const std::string& /*sentence*/) override {}
  std::unique_ptr<Progress> NewProgress() override { return std::make_unique<SilentProgress>(); }
};

}  // namespace crivello
