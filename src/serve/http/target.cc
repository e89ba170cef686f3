// SPDX-License-Identifier: Apache-2.0
#include "serve/http/target.h"

#include "web/url/percent.h"

namespace crivello::serve {

Target& Target::With(std::string_view name, std::string_view value) {
  if (value.empty()) return *this;
  text_ += any_ ? '&' : '?';
  any_ = true;
  text_ += name;
  text_ += '=';
  for (const char c : value) {
    if (web::IsUnreserved(static_cast<unsigned char>(c))) {
      text_ += c;
    } else if (c == ' ') {
      text_ += '+';
    } else {
      web::AppendEscape(static_cast<uint8_t>(c), &text_);
    }
  }
  return *this;
}

}  // namespace crivello::serve
