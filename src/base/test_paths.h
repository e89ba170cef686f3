// SPDX-License-Identifier: Apache-2.0
// Paths for tests and benchmarks. CMake writes the definitions (cmake/CrvModule.cmake).
#pragma once

namespace crivello {

// The root of the source tree.
const char* SourceDirectory();
// The crivello program of this build.
const char* ProgramPath();

}  // namespace crivello
