// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/progress.h"

namespace crivello::engine {

// Hears what the engine finds and does while it opens a collection.  The library never prints: the program
// decides what a person sees.  Called in the thread that opens.
class Listener {
 public:
  virtual ~Listener() = default;
  // Something that the operator should know.  `event` is its name for scripts ("archive.repaired"),
  // `sentence` is for people.
  virtual void Warn(std::string_view event, const std::string& sentence) = 0;
  // For work that takes long; destroyed when that has ended.
  virtual std::unique_ptr<Progress> NewProgress() = 0;
};

}  // namespace crivello::engine
