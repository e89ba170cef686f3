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

// What someone may do; each includes those before it.
enum class Role : uint8_t { kAnyone, kSearch, kAdmin };

// The keys of a server and what they are good for.  Only digests are kept.  A value type; reading is
// thread-safe.
class ApiKeys {
 public:
  // Shorter ones could be guessed.
  static constexpr size_t kMinKeyBytes = 16;

  // Lines "ROLE sha256:DIGEST", with the digest of a key in base 16; what follows a '#' is left out, and so
  // are empty lines.
  static Result<ApiKeys> FromText(std::string_view text);
  // REQUIRES: role is not kAnyone.  InvalidArgument for a key that is too short.
  Status Add(Role role, std::string_view key);

  bool HasSearchKey() const { return Has(Role::kSearch); }
  bool HasAdminKey() const { return Has(Role::kAdmin); }
  // That of the key; kAnyone if there is no such key.  Takes as long whatever the key is.
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
  // In a header that a page of another site cannot set; not so for the password that a browser adds by
  // itself.
  bool deliberate = false;
};
// From "Authorization: Bearer KEY", "X-API-Key: KEY", or "Authorization: Basic" with the key as password, so
// that people can use the pages.
std::optional<PresentedKey> FindKey(const HttpRequest& request);

// Why a request that needs a role may not be answered; nothing if it may.
//   kSearch   needs a key if a search key is set.
//   kAdmin    needs an admin key if one is set; else the request must come from this machine.
std::optional<Error> Refusal(const ApiKeys& keys, Role needed, const HttpRequest& request);

// Whether a request that changes something may have been sent by a page of another site, in a browser of
// someone who may: without a deliberate key it must have a content type that forms cannot have, and not tell
// of another origin.
bool MayBeForged(const ApiKeys& keys, const HttpRequest& request);

}  // namespace crivello::serve
