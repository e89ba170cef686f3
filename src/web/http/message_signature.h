// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/signing/ed25519.h"
#include "base/status.h"

namespace crivello::web {

// A part of a message that a signature covers: its identifier as listed in Signature-Input, like
// `"@authority"` or `"signature-agent";key="a"`, and its value as it appears in the signature base.
struct SignedComponent {
  std::string identifier;
  std::string value;
};

// The values of the two fields that carry a signature, each a dictionary with one member.
struct MessageSignature {
  std::string input;      // Signature-Input
  std::string signature;  // Signature
};

// Signs a message as in RFC 9421, section 3.1, with Ed25519 (section 3.3.6). `parameters` are those of the
// signature, in order, with serialised values: {"created", "1735689600"}, {"tag", "\"x\""}. REQUIRES: no
// identifier occurs twice, and no value contains a line break.
Result<MessageSignature> SignMessage(std::string_view label, const std::vector<SignedComponent>& components,
                                     const std::vector<std::pair<std::string, std::string>>& parameters,
                                     const Ed25519Key& key);

// Serialises a string for Structured Fields (RFC 9651, section 4.1.6). REQUIRES: printable ASCII.
std::string FieldString(std::string_view text);

}  // namespace crivello::web
