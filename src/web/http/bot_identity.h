// SPDX-License-Identifier: Apache-2.0
// Who a crawler is, in a way that a server can verify: Web Bot Auth, as
// draft-ietf-webbotauth-httpsig-protocol-01 has it.  Requests are signed (RFC 9421) with a key whose public
// half is in a directory that a URL names.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "base/signing/ed25519.h"
#include "base/status.h"
#include "web/url/url.h"

namespace crivello::web {

// Where a directory of keys is served, and as what.
inline constexpr std::string_view kKeyDirectoryPath = "/.well-known/http-message-signatures-directory";
inline constexpr std::string_view kKeyDirectoryType = "application/http-message-signatures-directory+json";

// The name of a key: the thumbprint of its public half (RFC 7638; RFC 8037, appendix A.3).
std::string KeyIdOf(const Ed25519Key& key);

// The directory with that key: a JSON Web Key Set, in one line.
std::string KeyDirectoryOf(const Ed25519Key& key);

// The https URL of a directory, as it is sent: of a host alone, the well-known one of that host.
// InvalidArgument if it is not an https URL.
Result<std::string> KeyDirectoryUrl(std::string_view text);

struct SignedField {
  std::string name;
  std::string value;
};

// The fields that prove who has made a request: Signature-Agent, Signature-Input and Signature.  The
// signature covers method, authority, path, query and Signature-Agent, so it is good for this URL alone, and
// for five minutes. Immutable; thread-safe.
class BotIdentity {
 public:
  static constexpr int64_t kSecondsValid = 300;

  // `directory` as KeyDirectoryUrl() gives it.
  BotIdentity(std::shared_ptr<const Ed25519Key> key, std::string directory);

  // Of a GET.  `now`: seconds since 1970.
  Result<std::vector<SignedField>> Sign(const Url& url, int64_t now, Random& random) const;

  const std::string& key_id() const { return key_id_; }

 private:
  const std::shared_ptr<const Ed25519Key> key_;
  const std::string directory_;
  const std::string key_id_;
};

// The fields with which a server of a directory proves that it has the key: Content-Digest, Signature-Input
// and Signature, for a request to that authority ("search.example:8080").  Good for a day.
Result<std::vector<SignedField>> SignKeyDirectory(const Ed25519Key& key, std::string_view body,
                                                  std::string_view authority, int64_t now);

}  // namespace crivello::web
