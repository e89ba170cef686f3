// SPDX-License-Identifier: Apache-2.0
#include "base/signing/key_file.h"
#include "cli/app.h"
#include "cli/json.h"
#include "cli/output.h"
#include "web/http/bot_identity.h"

namespace crivello::cli {
namespace {

int PrintKey(const Session& session, const std::string& file, const Ed25519Key& key) {
  if (session.json) {
    PrintJson(
        session,
        {{"file", file}, {"keyid", web::KeyIdOf(key)}, {"directory", Json::parse(web::KeyDirectoryOf(key))}});
  } else {
    session.out->Print("key       {}\ndirectory {}\n", web::KeyIdOf(key), web::KeyDirectoryOf(key));
  }
  return kDone;
}

Result<int> NewKey(const Session& session, const std::string& file) {
  CRV_ASSIGN(const Ed25519Key key, Ed25519Key::Generate());
  CRV_TRY(WriteSignKey(file, key));
  return PrintKey(session, file, key);
}

Result<int> ShowKey(const Session& session, const std::string& file) {
  CRV_ASSIGN(const auto key, ReadSignKey(file));
  return PrintKey(session, file, *key);
}

}  // namespace

void AddSignKeyCommand(CLI::App& app, Session& session) {
  CLI::App* command =
      app.add_subcommand("sign-key", "Make or show the key that a crawl signs its requests with");
  command->require_subcommand(1);
  auto file = std::make_shared<std::string>();
  CLI::App* make = command->add_subcommand("new", "Write a new key of Ed25519 to FILE");
  make->add_option("FILE", *file, "File to write; only its owner may read it")->required();
  make->footer(
      "Prints the name of the key and its directory, which 'crivello serve --sign-key FILE' serves.\n"
      "Examples:\n"
      "  crivello sign-key new bot.pem");
  Runs(*make, session, [&session, file] { return NewKey(session, *file); });
  CLI::App* show = command->add_subcommand("show", "Print the name of a key, and its directory as JSON");
  show->add_option("FILE", *file, "File of the key, in PEM")->required();
  show->footer(
      "Examples:\n"
      "  crivello sign-key show bot.pem");
  Runs(*show, session, [&session, file] { return ShowKey(session, *file); });
}

}  // namespace crivello::cli
