// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace crivello::serve {

// A path of this site with parameters: Target("/cached").With("url", url).text() is "/cached?url=https%3A…".
class Target {
 public:
  explicit Target(std::string_view path) : text_(path) {}
  // Skips a parameter with an empty value.
  Target& With(std::string_view name, std::string_view value);
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  bool any_ = false;
};

}  // namespace crivello::serve
