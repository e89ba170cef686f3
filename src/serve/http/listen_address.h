// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace crivello::serve {

struct ListenAddress {
  std::string host;
  uint16_t port = 0;
};

// ADDRESS:PORT, [ADDRESS]:PORT for IPv6.  InvalidArgument names the option.
Result<ListenAddress> ParseListen(std::string_view option, const std::string& text);

}  // namespace crivello::serve
