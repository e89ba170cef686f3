// SPDX-License-Identifier: Apache-2.0
#include "serve/api/api_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "base/ascii.h"
#include "base/digest.h"

namespace crivello::serve {
namespace {

constexpr std::string_view kDigestPrefix = "sha256:";
constexpr size_t kDigestBytes = kDigestPrefix.size() + 64;

bool IsDigest(std::string_view text) {
  return text.size() == kDigestBytes && text.starts_with(kDigestPrefix) &&
         std::all_of(text.begin() + kDigestPrefix.size(), text.end(),
                     [](char c) { return HexValue(c) >= 0; });
}

// Takes a time that depends on the sizes only.
bool EqualInConstantTime(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (size_t i = 0; i < a.size(); i++) difference |= static_cast<unsigned char>(a[i] ^ b[i]);
  return difference == 0;
}

// Stops at the first character that is not base64.
std::string Base64Decoded(std::string_view text) {
  std::string out;
  uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    uint32_t value;
    if (IsAsciiUpper(c)) {
      value = static_cast<uint32_t>(c - 'A');
    } else if (IsAsciiAlpha(c)) {
      value = static_cast<uint32_t>(c - 'a' + 26);
    } else if (IsAsciiDigit(c)) {
      value = static_cast<uint32_t>(c - '0' + 52);
    } else if (c == '+' || c == '/') {
      value = c == '+' ? 62 : 63;
    } else {
      break;
    }
    bits = bits << 6 | value;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out += static_cast<char>(bits >> count & 0xFF);
  }
  return out;
}

bool IsSimpleType(std::string_view type) {
  const std::string_view essence = TrimAsciiSpace(type.substr(0, type.find(';')));
  return essence.empty() || EqualsIgnoringCase(essence, "application/x-www-form-urlencoded") ||
         EqualsIgnoringCase(essence, "multipart/form-data") || EqualsIgnoringCase(essence, "text/plain");
}

// As far as browsers say so; other programs send no origin.
bool IsOfAnotherOrigin(const HttpRequest& request) {
  if (const auto site = request.Header("sec-fetch-site")) return *site != "same-origin" && *site != "none";
  const auto origin = request.Header("origin");
  if (!origin) return false;
  const size_t slashes = origin->find("://");
  return slashes == std::string_view::npos ||
         !EqualsIgnoringCase(origin->substr(slashes + 3), request.Header("host").value_or(""));
}

}  // namespace

Result<ApiKeys> ApiKeys::FromText(std::string_view text) {
  ApiKeys keys;
  for (size_t number = 1; !text.empty(); number++) {
    const size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    line = TrimAsciiSpace(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    const size_t space = std::min(line.find_first_of(" \t"), line.size());
    const std::string_view role = line.substr(0, space);
    const std::string digest = ToAsciiLower(TrimAsciiSpace(line.substr(space)));
    if ((role != "search" && role != "admin") || !IsDigest(digest)) {
      return Status::InvalidArgument(fmt::format(
          "key file, line {}: expected \"search sha256:DIGEST\" or \"admin sha256:DIGEST\"", number));
    }
    keys.entries_.push_back({role == "admin" ? Role::kAdmin : Role::kSearch, digest});
  }
  return keys;
}

Status ApiKeys::Add(Role role, std::string_view key) {
  assert(role != Role::kAnyone);
  if (key.size() < kMinKeyBytes) {
    return Status::InvalidArgument(
        fmt::format("key too short: expected at least {} characters", kMinKeyBytes));
  }
  entries_.push_back({role, Sha256Digest(key)});
  return Status::Ok();
}

bool ApiKeys::Has(Role role) const {
  return std::any_of(entries_.begin(), entries_.end(),
                     [role](const Entry& entry) { return entry.role == role; });
}

Role ApiKeys::RoleOf(std::string_view key) const {
  const std::string digest = Sha256Digest(key);
  Role role = Role::kAnyone;
  for (const Entry& entry : entries_) {
    if (EqualInConstantTime(entry.digest, digest)) role = std::max(role, entry.role);
  }
  return role;
}

std::optional<PresentedKey> FindKey(const HttpRequest& request) {
  if (const auto key = request.Header("x-api-key")) return PresentedKey{std::string(*key), true};
  const auto authorization = request.Header("authorization");
  if (!authorization) return std::nullopt;
  if (StartsWithIgnoringCase(*authorization, "bearer ")) {
    return PresentedKey{std::string(TrimAsciiSpace(authorization->substr(7))), true};
  }
  if (StartsWithIgnoringCase(*authorization, "basic ")) {
    const std::string pair = Base64Decoded(TrimAsciiSpace(authorization->substr(6)));
    const size_t colon = pair.find(':');
    return PresentedKey{colon == std::string::npos ? "" : pair.substr(colon + 1), false};
  }
  return std::nullopt;
}

std::optional<Error> Refusal(const ApiKeys& keys, Role needed, const HttpRequest& request) {
  if (needed == Role::kAnyone || (needed == Role::kSearch && !keys.HasSearchKey())) return std::nullopt;
  const auto presented = FindKey(request);
  const Role role = presented ? keys.RoleOf(presented->key) : Role::kAnyone;
  if (role >= needed) return std::nullopt;
  if (needed == Role::kAdmin && !keys.HasAdminKey()) {
    if (request.from_loopback) return std::nullopt;
    return Error::kForbidden;
  }
  return role == Role::kAnyone ? Error::kUnauthorized : Error::kForbidden;
}

bool MayBeForged(const ApiKeys& keys, const HttpRequest& request) {
  const auto presented = FindKey(request);
  if (presented && presented->deliberate && keys.RoleOf(presented->key) != Role::kAnyone) return false;
  // Only GET and POST can be forms or simple requests; others need a preflight, which is refused.
  const bool is_simple =
      request.method == "POST" && IsSimpleType(request.Header("content-type").value_or(""));
  return is_simple || IsOfAnotherOrigin(request);
}

}  // namespace crivello::serve
