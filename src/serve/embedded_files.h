// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace crivello::serve {

// A file of ui/, bundled, as it was when the program was built.
struct EmbeddedFile {
  std::string_view path;  // "style.css"
  std::string_view bytes;
};

// All of them, by path; they live as long as the program.  The definition is written by cmake/CrvEmbed.cmake.
std::span<const EmbeddedFile> EmbeddedFiles();

}  // namespace crivello::serve
