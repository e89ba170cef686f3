// SPDX-License-Identifier: Apache-2.0
#include "crawl/host_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/signing/ed25519.h"

namespace crivello::crawl {
namespace {

constexpr std::array<std::string_view, 11> kOwnFields = {"accept",     "accept-encoding",  "authorization",
                                                         "connection", "content-length",   "cookie",
                                                         "host",       "signature",        "te",
                                                         "user-agent", "transfer-encoding"};

}  // namespace

Result<fetch::RequestField> HeaderField(std::string_view text) {
  const size_t colon = text.find(':');
  const std::string name(TrimAsciiSpace(text.substr(0, colon)));
  const auto in_name = [](char c) { return IsAsciiAlnum(c) || c == '-' || c == '_'; };
  const auto in_value = [](char c) { return static_cast<unsigned char>(c) >= 0x20 && c != 0x7f; };
  if (colon == std::string_view::npos || name.empty() || !std::all_of(name.begin(), name.end(), in_name) ||
      !std::all_of(text.begin(), text.end(), in_value)) {
    return Status::InvalidArgument(fmt::format("invalid header '{}': expected \"Name: value\"", text));
  }
  if (std::find(kOwnFields.begin(), kOwnFields.end(), ToAsciiLower(name)) != kOwnFields.end()) {
    return Status::InvalidArgument(
        fmt::format("the header {} cannot be set; for a login use user and password-file", name));
  }
  return fetch::RequestField{name, std::string(TrimAsciiSpace(text.substr(colon + 1)))};
}

Result<fetch::RequestField> LoginField(std::string_view user, std::string_view password) {
  if (user.find(':') != std::string_view::npos) {
    return Status::InvalidArgument(fmt::format("invalid user '{}': a name has no colon", user));
  }
  return fetch::RequestField{"Authorization", "Basic " + Base64(fmt::format("{}:{}", user, password))};
}

}  // namespace crivello::crawl
