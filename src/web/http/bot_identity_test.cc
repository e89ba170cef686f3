// SPDX-License-Identifier: Apache-2.0
#include "web/http/bot_identity.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "web/http/message_signature.h"

namespace crivello::web {
namespace {

// "test-key-ed25519" of RFC 9421, appendix B.1.4.
Ed25519Key TestKey() {
  auto key = Ed25519Key::FromPem(
      "-----BEGIN PRIVATE KEY-----\n"
      "MC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF\n"
      "-----END PRIVATE KEY-----\n");
  EXPECT_TRUE(key.ok()) << key.status().ToString();
  return *std::move(key);
}

constexpr std::string_view kTestKeyId = "poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U";

TEST(MessageSignatureTest, IsThatOfTheExampleOfTheRfc) {
  // Appendix B.2.6.
  const auto signature =
      SignMessage("sig-b26",
                  {{"\"date\"", "Tue, 20 Apr 2021 02:07:55 GMT"},
                   {"\"@method\"", "POST"},
                   {"\"@path\"", "/foo"},
                   {"\"@authority\"", "example.com"},
                   {"\"content-type\"", "application/json"},
                   {"\"content-length\"", "18"}},
                  {{"created", "1618884473"}, {"keyid", "\"test-key-ed25519\""}}, TestKey());
  ASSERT_TRUE(signature.ok());
  EXPECT_EQ(signature->input,
            "sig-b26=(\"date\" \"@method\" \"@path\" \"@authority\" \"content-type\" \"content-length\")"
            ";created=1618884473;keyid=\"test-key-ed25519\"");
  EXPECT_EQ(
      signature->signature,
      "sig-b26=:wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==:");
}

TEST(MessageSignatureTest, IsThatOfTheVectorOfTheDraft) {
  const auto signature = SignMessage(
      "sig2",
      {{"\"@authority\"", "example.com"},
       {"\"signature-agent\";key=\"agent2\"", FieldString("https://signature-agent.test")}},
      {{"created", "1735689600"},
       {"keyid", FieldString(KeyIdOf(TestKey()))},
       {"alg", "\"ed25519\""},
       {"expires", "4889289600"},
       {"nonce",
        "\"n9p433xm+NJ3ph3upfBIGmsuwHw387YV7Q/F+6BSpGCVjYCqQw6rznNA8PVVLySrAWsv0hQtFioQb6E1YsauiA==\""},
       {"tag", "\"web-bot-auth\""}},
      TestKey());
  ASSERT_TRUE(signature.ok());
  EXPECT_EQ(
      signature->signature,
      "sig2=:RdNFx5Bj6au3YgAMQL/RzmUlZE8QZLIaXGRpw985hWnwPfMxT228NMk6ehRS1PSl4e8PhbNZACSanGdhEwYCCg==:");
}

TEST(BotIdentityTest, NamesItsKeyByItsThumbprint) {
  EXPECT_EQ(KeyIdOf(TestKey()), kTestKeyId);
  EXPECT_EQ(KeyDirectoryOf(TestKey()),
            "{\"keys\":[{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"kid\":\"poqkLGiymh_W0uP6PZFw-"
            "dvez3QJT5SolqXBCW38r0U\","
            "\"x\":\"JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs\",\"use\":\"sig\"}]}");
}

TEST(BotIdentityTest, SignsWhatIsRequestedAndWhoAsks) {
  const BotIdentity identity(std::make_shared<Ed25519Key>(TestKey()), "https://bot.example/keys");
  SeededRandom random(1);
  const auto fields = [&](std::string_view text) {
    Url url;
    EXPECT_TRUE(url.Parse(text));
    std::map<std::string, std::string> by_name;
    for (const SignedField& field : *identity.Sign({.url = url}, 1'700'000'000, random))
      by_name[field.name] = field.value;
    return by_name;
  };
  const auto first = fields("https://a.example:8443/x/y?z=1#part");
  EXPECT_EQ(first.at("Signature-Agent"), "sig1=\"https://bot.example/keys\"");
  const std::string& input = first.at("Signature-Input");
  EXPECT_TRUE(input.starts_with(
      "sig1=(\"@method\" \"@authority\" \"@path\" \"@query\" \"signature-agent\";key=\"sig1\")"
      ";created=1700000000;expires=1700000300;keyid=\"poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U\""
      ";alg=\"ed25519\";nonce=\""))
      << input;
  EXPECT_TRUE(input.ends_with("\";tag=\"web-bot-auth\"")) << input;
  std::vector<std::pair<std::string, std::string>> parameters;
  for (size_t at = input.find(')') + 1; at < input.size();) {
    const std::string parameter = input.substr(at + 1, input.find(';', at + 1) - at - 1);
    const size_t equal = parameter.find('=');
    parameters.emplace_back(parameter.substr(0, equal), parameter.substr(equal + 1));
    at += 1 + parameter.size();
  }
  const auto signature = SignMessage("sig1",
                                     {{"\"@method\"", "GET"},
                                      {"\"@authority\"", "a.example:8443"},
                                      {"\"@path\"", "/x/y"},
                                      {"\"@query\"", "?z=1"},
                                      {"\"signature-agent\";key=\"sig1\"", "\"https://bot.example/keys\""}},
                                     parameters, TestKey());
  EXPECT_EQ(first.at("Signature"), signature->signature);
  // A signature is for one method.
  Url url;
  ASSERT_TRUE(url.Parse("https://a.example:8443/x/y?z=1"));
  SeededRandom one(1);
  SeededRandom same(1);
  EXPECT_NE((*identity.Sign({.url = url}, 1, one))[2].value,
            (*identity.Sign({.url = url, .method = "POST"}, 1, same))[2].value);
  // A nonce is used only once.
  EXPECT_NE(fields("https://a.example:8443/x/y?z=1").at("Signature-Input"), input);
  EXPECT_NE(fields("https://a.example:8443/x/y").at("Signature"), first.at("Signature"));
}

TEST(BotIdentityTest, SignsItsDirectoryAsTheVectorOfTheDraftButForTheTime) {
  const std::string body = KeyDirectoryOf(TestKey());
  const auto fields = SignKeyDirectory(TestKey(), body, "signature-agent.test", 1735689600);
  ASSERT_TRUE(fields.ok());
  EXPECT_EQ((*fields)[0].name, "Content-Digest");
  EXPECT_EQ((*fields)[0].value, "sha-256=:CADMT2aBdV/rqQr/NIru64ERQkCobVvllA4V0fLFDu0=:");
  EXPECT_EQ(
      (*fields)[1].value,
      "binding=(\"@authority\";req \"content-digest\");created=1735689600;expires=1735776000"
      ";keyid=\"poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U\";tag=\"http-message-signatures-directory\"");
  const auto vector =
      SignMessage("binding",
                  {{"\"@authority\";req", "signature-agent.test"},
                   {"\"content-digest\"", "sha-256=:CADMT2aBdV/rqQr/NIru64ERQkCobVvllA4V0fLFDu0=:"}},
                  {{"created", "1735689600"},
                   {"expires", "4889289600"},
                   {"keyid", FieldString(kTestKeyId)},
                   {"tag", "\"http-message-signatures-directory\""}},
                  TestKey());
  EXPECT_EQ(
      vector->signature,
      "binding=:l6P8R67tm3kujAxbHWio7ll01qrEZ0dKD/WWlGhNYEmTnFZM8Wt0VQ9zqGfvo7T/UMkBxsigzChM1Gpz7gOVBg==:");
}

TEST(BotIdentityTest, TakesTheUrlOfADirectoryOrOfItsHost) {
  EXPECT_EQ(*KeyDirectoryUrl("https://bot.example"),
            "https://bot.example/.well-known/http-message-signatures-directory");
  EXPECT_EQ(*KeyDirectoryUrl("https://bot.example:444/"),
            "https://bot.example:444/.well-known/http-message-signatures-directory");
  EXPECT_EQ(*KeyDirectoryUrl("https://bot.example/jwks.json"), "https://bot.example/jwks.json");
  for (const std::string_view bad : {"http://bot.example/", "bot.example", "", "https://u@bot.example/"}) {
    EXPECT_EQ(KeyDirectoryUrl(bad).status().code(), StatusCode::kInvalidArgument) << bad;
  }
}

}  // namespace
}  // namespace crivello::web
