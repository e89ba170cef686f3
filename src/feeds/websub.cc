// SPDX-License-Identifier: Apache-2.0
#include "feeds/websub.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.h"
#include "web/url/percent.h"

namespace crivello::feeds {
namespace {

void AddField(std::string_view name, std::string_view value, std::string* form) {
  if (!form->empty()) *form += '&';
  form->append(name).append("=");
  for (const char c : value) {
    if (web::IsUnreserved(static_cast<uint8_t>(c))) {
      *form += c;
    } else {
      web::AppendEscape(static_cast<uint8_t>(c), form);
    }
  }
}

std::optional<std::string> Unhex(std::string_view digits) {
  if (digits.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  for (size_t i = 0; i < digits.size(); i += 2) {
    const int high = HexValue(digits[i]);
    const int low = HexValue(digits[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes += static_cast<char>(high * 16 + low);
  }
  return bytes;
}

}  // namespace

int64_t ClampLease(std::optional<int64_t> seconds) {
  return std::clamp(seconds.value_or(kAskedLease), kLeastLease, kMostLease);
}

std::string HubForm(const Subscription& subscription, bool subscribe) {
  std::string form;
  AddField("hub.callback", subscription.Callback(), &form);
  AddField("hub.mode", subscribe ? "subscribe" : "unsubscribe", &form);
  AddField("hub.topic", subscription.topic, &form);
  if (!subscribe) return form;
  AddField("hub.lease_seconds", std::to_string(kAskedLease), &form);
  AddField("hub.secret", subscription.secret, &form);
  return form;
}

std::optional<HubSignature> ParseHubSignature(std::string_view value) {
  value = TrimAsciiSpace(value);
  const size_t equals = value.find('=');
  if (equals == value.npos) return std::nullopt;
  const std::string_view method = value.substr(0, equals);
  HubSignature signature;
  size_t bytes = 0;
  if (EqualsIgnoringCase(method, "sha256")) {
    bytes = 32;
  } else if (EqualsIgnoringCase(method, "sha384")) {
    signature.hash = MacHash::kSha384;
    bytes = 48;
  } else if (EqualsIgnoringCase(method, "sha512")) {
    signature.hash = MacHash::kSha512;
    bytes = 64;
  }
  auto code = Unhex(value.substr(equals + 1));
  if (bytes == 0 || !code || code->size() != bytes) return std::nullopt;
  signature.code = *std::move(code);
  return signature;
}

}  // namespace crivello::feeds
