// SPDX-License-Identifier: Apache-2.0
#include "base/progress.h"

namespace crivello {

Progress& NoProgress() {
  static SilentProgress silent;
  return silent;
}

}  // namespace crivello
