// SPDX-License-Identifier: Apache-2.0
// Where tests and benchmarks find things.  CMake writes the definitions (cmake/CrvModule.cmake).
#pragma once

namespace crivello {

// The root of the source tree.
const char* SourceDirectory();
// The program of this build.
const char* ProgramPath();

}  // namespace crivello
