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

// All of them, by path, valid as long as the program runs.  cmake/CrvEmbed.cmake writes the definition.
std::span<const EmbeddedFile> EmbeddedFiles();

}  // namespace crivello::serve
