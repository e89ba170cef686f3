// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/progress.h"

namespace crivello {

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
