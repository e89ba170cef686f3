// SPDX-License-Identifier: Apache-2.0
#include "web/http/bot_identity.h"

#include <fmt/format.h>

#include <utility>

#include "base/digest.h"
#include "web/http/message_signature.h"

namespace crivello::web {
namespace {

constexpr std::string_view kLabel = "sig1";
constexpr int64_t kDirectorySeconds = 24 * 3600;
constexpr size_t kNonceBytes = 64;

std::string Nonce(Random& random) {
  std::string bytes;
  while (bytes.size() < kNonceBytes) {
    for (uint64_t word = random.Next(), i = 0; i < 8; i++, word >>= 8) bytes += static_cast<char>(word & 255);
  }
  return Base64(bytes);
}

}  // namespace

std::string KeyIdOf(const Ed25519Key& key) {
  return Base64Url(
      Sha256Bytes(fmt::format(R"({{"crv":"Ed25519","kty":"OKP","x":"{}"}})", Base64Url(key.public_key()))));
}

std::string KeyDirectoryOf(const Ed25519Key& key) {
  return fmt::format(R"({{"keys":[{{"kty":"OKP","crv":"Ed25519","kid":"{}","x":"{}","use":"sig"}}]}})",
                     KeyIdOf(key), Base64Url(key.public_key()));
}

Result<std::string> KeyDirectoryUrl(std::string_view text) {
  Url url;
  if (!url.Parse(text) || url.scheme_type() != SchemeType::kHttps || !url.username().empty()) {
    return Status::InvalidArgument(
        fmt::format("'{}' is not the URL of a key directory: expected https://HOST/ or https://HOST{}", text,
                    kKeyDirectoryPath));
  }
  if (url.path_and_query() != "/") return std::string(url.href());
  return fmt::format("{}{}", url.origin(), kKeyDirectoryPath);
}

BotIdentity::BotIdentity(std::shared_ptr<const Ed25519Key> key, std::string directory)
    : key_(std::move(key)), directory_(std::move(directory)), key_id_(KeyIdOf(*key_)) {}

Result<std::vector<SignedField>> BotIdentity::Sign(const SignedRequest& request, int64_t now,
                                                   Random& random) const {
  const Url& url = request.url;
  const std::string agent = FieldString(directory_);
  const std::string query = url.search().empty() ? "?" : std::string(url.search());
  CRV_ASSIGN(MessageSignature signature,
             SignMessage(kLabel,
                         {{"\"@method\"", std::string(request.method)},
                          {"\"@authority\"", std::string(url.host())},
                          {"\"@path\"", std::string(url.pathname())},
                          {"\"@query\"", query},
                          {fmt::format("\"signature-agent\";key=\"{}\"", kLabel), agent}},
                         {{"created", std::to_string(now)},
                          {"expires", std::to_string(now + kSecondsValid)},
                          {"keyid", FieldString(key_id_)},
                          {"alg", "\"ed25519\""},
                          {"nonce", FieldString(Nonce(random))},
                          {"tag", "\"web-bot-auth\""}},
                         *key_));
  return std::vector<SignedField>{{"Signature-Agent", fmt::format("{}={}", kLabel, agent)},
                                  {"Signature-Input", std::move(signature.input)},
                                  {"Signature", std::move(signature.signature)}};
}

Result<std::vector<SignedField>> SignKeyDirectory(const Ed25519Key& key, std::string_view body,
                                                  std::string_view authority, int64_t now) {
  const std::string digest = fmt::format("sha-256=:{}:", Base64(Sha256Bytes(body)));
  CRV_ASSIGN(
      MessageSignature signature,
      SignMessage("binding", {{"\"@authority\";req", std::string(authority)}, {"\"content-digest\"", digest}},
                  {{"created", std::to_string(now)},
                   {"expires", std::to_string(now + kDirectorySeconds)},
                   {"keyid", FieldString(KeyIdOf(key))},
                   {"tag", "\"http-message-signatures-directory\""}},
                  key));
  return std::vector<SignedField>{{"Content-Digest", digest},
                                  {"Signature-Input", std::move(signature.input)},
                                  {"Signature", std::move(signature.signature)}};
}

}  // namespace crivello::web
