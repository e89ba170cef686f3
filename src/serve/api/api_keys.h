// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "serve/api/errors.h"
#include "serve/http/http.h"

namespace crivello::serve {

// What a client may do; each role includes those before it.
enum class Role : uint8_t { kAnyone, kSearch, kAdmin };

// The API keys of a server and the role of each.  Only digests are kept.  A value type; reading is
// thread-safe.
class ApiKeys {
 public:
  // Shorter ones could be guessed.
  static constexpr size_t kMinKeyBytes = 16;

  // Parses lines "ROLE sha256:DIGEST", where DIGEST is the digest of a key in hexadecimal.  Skips empty lines
  // and everything after a '#'.
  static Result<ApiKeys> FromText(std::string_view text);
  // REQUIRES: role is not kAnyone.  InvalidArgument if the key is too short.
  Status Add(Role role, std::string_view key);

  bool HasSearchKey() const { return Has(Role::kSearch); }
  bool HasAdminKey() const { return Has(Role::kAdmin); }
  // The role of a key; kAnyone if it is unknown.  Takes the same time for every key.
  Role RoleOf(std::string_view key) const;

 private:
  struct Entry {
    Role role;
    std::string digest;  // "sha256:" and 64 digits
  };
  bool Has(Role role) const;
  std::vector<Entry> entries_;
};

// A key as a request brings it.
struct PresentedKey {
  std::string key;
  // True if it came in a header that a page of another site cannot set.  False for a password that the
  // browser adds by itself.
  bool deliberate = false;
};
// From "Authorization: Bearer KEY", "X-API-Key: KEY", or "Authorization: Basic" with the key as password, so
// that people can use the pages.
std::optional<PresentedKey> FindKey(const HttpRequest& request);

// Why a request that needs this role must be refused; nullopt if it may be answered.
//   kSearch   requires a key if a search key is set.
//   kAdmin    requires an admin key if one is set; otherwise the request must come from this machine.
std::optional<Error> Refusal(const ApiKeys& keys, Role needed, const HttpRequest& request);

// Whether a page of another site may have sent this request, in the browser of someone who is allowed to
// change things.  A request without a deliberate key must have a content type that forms cannot send, and
// must not name another origin.
bool MayBeForged(const ApiKeys& keys, const HttpRequest& request);

}  // namespace crivello::serve
