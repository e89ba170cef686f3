// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "cli/command.h"

namespace crivello::cli {

// Members keep their order of insertion, because people read these lines too.
using Json = nlohmann::ordered_json;

// One object per line.  Text from elsewhere may be invalid UTF-8; U+FFFD replaces what is invalid.
inline std::string JsonLine(const Json& object) {
  return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}
inline void PrintJson(const Session& session, const Json& object) { session.out->Write(JsonLine(object)); }

}  // namespace crivello::cli
