// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "serve/http/http.h"

namespace crivello::serve {

// Members keep their order of insertion, because people read these too.
using Json = nlohmann::ordered_json;

// Text from elsewhere may be invalid UTF-8; U+FFFD replaces what is invalid.
inline std::string JsonText(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

inline HttpResponse JsonAnswer(const Json& json) {
  return {.type = "application/json", .body = JsonText(json) + "\n"};
}

}  // namespace crivello::serve
