// SPDX-License-Identifier: Apache-2.0
#include "serve/http/listen_address.h"

#include <fmt/format.h>

#include <charconv>
#include <system_error>

namespace crivello::serve {

Result<ListenAddress> ParseListen(std::string_view option, const std::string& text) {
  const auto wrong = [&] {
    return Status::InvalidArgument(
        fmt::format("{} {}: expected ADDRESS:PORT, as in 127.0.0.1:8765", option, text));
  };
  const size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0) return wrong();
  ListenAddress address;
  address.host = text.substr(0, colon);
  if (address.host.front() == '[' && address.host.back() == ']') {
    address.host = address.host.substr(1, address.host.size() - 2);
  }
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data() + colon + 1, end, address.port);
  if (error != std::errc() || stopped != end || colon + 1 == text.size()) return wrong();
  return address;
}

}  // namespace crivello::serve
