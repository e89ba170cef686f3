// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace crivello::demo {

// A file under src/demo/web, as it was when the program was built.
struct EmbeddedFile {
  std::string_view path;  // "HOST/folder/page.html"
  std::string_view bytes;
};

// All of them, by path, valid as long as the program runs.  cmake/CrvEmbed.cmake writes the definition.
std::span<const EmbeddedFile> EmbeddedFiles();

}  // namespace crivello::demo
