// SPDX-License-Identifier: Apache-2.0
#include "base/progress.h"

namespace crivello {
namespace {

class Silent final : public Progress {
 public:
  void Start(std::string_view, uint64_t) override {}
  void Advance(uint64_t) override {}
  void Finish() override {}
};

}  // namespace

Progress& NoProgress() {
  static Silent silent;
  return silent;
}

}  // namespace crivello
