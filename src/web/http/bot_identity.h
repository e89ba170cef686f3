// SPDX-License-Identifier: Apache-2.0
// A crawler's identity that servers can verify: Web Bot Auth, by draft-ietf-webbotauth-httpsig-protocol-01.
// Requests are signed (RFC 9421) with a key whose public half is published in a directory; a field of the
// request has the directory's URL.
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

// The path at which a directory of keys is served, and its media type.
inline constexpr std::string_view kKeyDirectoryPath = "/.well-known/http-message-signatures-directory";
inline constexpr std::string_view kKeyDirectoryType = "application/http-message-signatures-directory+json";

// The id of a key: the thumbprint of its public half (RFC 7638; RFC 8037, appendix A.3).
std::string KeyIdOf(const Ed25519Key& key);

// The directory that contains this key: a JSON Web Key Set, on one line.
std::string KeyDirectoryOf(const Ed25519Key& key);

// The https URL of a directory, as it is sent. For a bare host name, the well-known URL on that host.
// InvalidArgument if it is not an https URL.
Result<std::string> KeyDirectoryUrl(std::string_view text);

// What is requested.
struct SignedRequest {
  const Url& url;
  std::string_view method = "GET";
};

struct SignedField {
  std::string name;
  std::string value;
};

// The fields that prove who made a request: Signature-Agent, Signature-Input and Signature. The signature
// covers method, authority, path, query and Signature-Agent, but no body, so it is valid only for this method
// and URL, and for five minutes. Immutable; thread-safe.
class BotIdentity {
 public:
  static constexpr int64_t kSecondsValid = 300;

  // `directory` is a result of KeyDirectoryUrl().
  BotIdentity(std::shared_ptr<const Ed25519Key> key, std::string directory);

  // `now`: seconds since 1970.
  Result<std::vector<SignedField>> Sign(const SignedRequest& request, int64_t now, Random& random) const;

  const std::string& key_id() const { return key_id_; }

 private:
  const std::shared_ptr<const Ed25519Key> key_;
  const std::string directory_;
  const std::string key_id_;
};

// The fields by which the server of a directory proves that it holds the key: Content-Digest, Signature-Input
// and Signature, for a request to that authority ("search.example:8080"). Valid for a day.
Result<std::vector<SignedField>> SignKeyDirectory(const Ed25519Key& key, std::string_view body,
                                                  std::string_view authority, int64_t now);

}  // namespace crivello::web
