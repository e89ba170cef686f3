// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "cli/command.h"

namespace crivello::cli {

// Members in the order they were put in: people read these lines too.
using Json = nlohmann::ordered_json;

// One object on a line of its own.  Text from elsewhere may be no UTF-8: U+FFFD stands for what is not.
inline std::string JsonLine(const Json& object) {
  return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}
inline void PrintJson(const Session& session, const Json& object) { session.out->Write(JsonLine(object)); }

}  // namespace crivello::cli
