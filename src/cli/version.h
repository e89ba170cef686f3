// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace crivello::cli {

inline constexpr const char* kVersion = CRV_VERSION;  // from CMakeLists.txt

}  // namespace crivello::cli
