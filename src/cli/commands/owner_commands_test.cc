// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "base/test_support.h"
#include "cli/cli_test_support.h"
#include "cli/commands/collection.h"
#include "engine/engine.h"

namespace crivello::cli {
namespace {

using ::testing::HasSubstr;

TEST(OwnerCommandsTest, AreThoseThatReadOrAreSafeBesideACrawl) {
  TemporaryFolder folder;
  SilentListener listener;
  engine::EngineOptions options;
  options.directory = folder / "c";
  options.crawl.allow_private = true;
  const auto engine = engine::Engine::OpenToCrawl(std::move(options), listener);
  ASSERT_TRUE(engine.ok()) << engine.status().ToString();
  OwnerCommands commands(**engine);
  const auto run = [&commands](const std::vector<std::string>& arguments) {
    Capture out, err;
    const int code = commands.Run(arguments, out.file(), err.file());
    return Outcome{code, out.Text(), err.Text()};
  };
  EXPECT_EQ(run({"CRIVELLO_LOG_LEVEL=error", "check"}).code, kDone);
  EXPECT_EQ(run({"forget", "--list"}).code, kNothingFound);
  // The name of a command that is run, as an argument of one that is not.
  const Outcome refused = run({"import", "get"});
  EXPECT_EQ(refused.code, kWrongUsage);
  EXPECT_THAT(refused.err, HasSubstr("not run by the owner"));
}

}  // namespace
}  // namespace crivello::cli
