// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace crivello::web {

// A text as it is displayed, assembled from runs. Each stretch of white space becomes one space, or a newline
// where a line breaks; none at the ends. White space is HTML's (space, tab, LF, FF, CR); a no-break space is
// a character. Linear, copying stretches. Keeps at most `max_bytes`. One thread at a time.
class PageText {
 public:
  explicit PageText(size_t max_bytes) : max_bytes_(max_bytes) {}

  void Append(std::string_view run);
  // Puts a space or newline before what comes next, if anything came before.
  void BreakWord() {
    if (pending_ == '\0') pending_ = ' ';
  }
  void BreakLine() { pending_ = '\n'; }
  void Clear();

  std::string_view view() const { return text_; }
  bool cut() const { return cut_; }
  std::string Take();

 private:
  void Keep(std::string_view bytes);

  size_t max_bytes_;
  std::string text_;
  char pending_ = '\0';  // white space seen since the last character
  bool cut_ = false;
};

}  // namespace crivello::web
