// SPDX-License-Identifier: Apache-2.0
#include "web/http/message_signature.h"

#include "base/ascii.h"

namespace crivello::web {

std::string FieldString(std::string_view text) { return DoubleQuoted(text); }

Result<MessageSignature> SignMessage(std::string_view label, const std::vector<SignedComponent>& components,
                                     const std::vector<std::pair<std::string, std::string>>& parameters,
                                     const Ed25519Key& key) {
  std::string base;
  std::string covered = "(";
  for (const SignedComponent& component : components) {
    if (covered.size() > 1) covered += ' ';
    covered += component.identifier;
    base += component.identifier + ": " + component.value + '\n';
  }
  covered += ')';
  for (const auto& [name, value] : parameters) covered += ';' + name + '=' + value;
  base += "\"@signature-params\": " + covered;
  CRV_ASSIGN(const std::string signature, key.Sign(base));
  return MessageSignature{.input = std::string(label) + '=' + covered,
                          .signature = std::string(label) + "=:" + Base64(signature) + ':'};
}

}  // namespace crivello::web
