// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "serve/http/http.h"

namespace crivello::serve {

// Members in the order they were put in: people read these too.
using Json = nlohmann::ordered_json;

// Text from elsewhere may be no UTF-8: U+FFFD stands for what is not.
inline std::string JsonText(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

inline HttpResponse JsonAnswer(const Json& json) {
  return {.type = "application/json", .body = JsonText(json) + "\n"};
}

}  // namespace crivello::serve
