// SPDX-License-Identifier: Apache-2.0
#include "engine/owner_socket.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/test_support.h"

namespace crivello::engine {
namespace {

using testing::ElementsAre;

// Writes what it is told, and more than one frame of it.
class EchoRunner final : public CommandRunner {
 public:
  int Run(const std::vector<std::string>& arguments, std::FILE* out, std::FILE* err) override {
    seen = arguments;
    const std::string much(3 << 20, 'x');
    std::fwrite(much.data(), 1, much.size(), out);
    std::fputs("a warning\n", err);
    return 7;
  }
  std::vector<std::string> seen;
};

// What is written to a FILE.
class Written {
 public:
  Written() : file_(open_memstream(&bytes_, &size_)) {}
  ~Written() {
    std::fclose(file_);
    std::free(bytes_);
  }
  std::FILE* file() { return file_; }
  std::string text() {
    std::fflush(file_);
    return {bytes_, size_};
  }

 private:
  char* bytes_ = nullptr;
  size_t size_ = 0;
  std::FILE* file_;
};

TEST(OwnerSocketTest, RunsTheCommandAndSendsBackWhatItPrints) {
  TemporaryFolder folder;
  EchoRunner runner;
  const auto socket = OwnerSocket::Open(folder.path(), runner);
  ASSERT_TRUE(socket.ok()) << socket.status().ToString();
  Written out, err;
  const auto code = AskOwner(folder.path(), {"get", "", "https://a.example/"}, out.file(), err.file());
  ASSERT_TRUE(code.ok()) << code.status().ToString();
  EXPECT_EQ(*code, std::optional(7));
  EXPECT_THAT(runner.seen, ElementsAre("get", "", "https://a.example/"));
  EXPECT_EQ(out.text(), std::string(3 << 20, 'x'));
  EXPECT_EQ(err.text(), "a warning\n");
}

TEST(OwnerSocketTest, IsForItsUserAloneAndGoesWithItsOwner) {
  TemporaryFolder folder;
  EchoRunner runner;
  {
    const auto socket = OwnerSocket::Open(folder.path(), runner);
    ASSERT_TRUE(socket.ok()) << socket.status().ToString();
    struct stat file = {};
    ASSERT_EQ(stat((folder / "socket").c_str(), &file), 0);
    EXPECT_EQ(file.st_mode & 0777u, 0600u);
  }
  Written out, err;
  const auto code = AskOwner(folder.path(), {"get"}, out.file(), err.file());
  ASSERT_TRUE(code.ok());
  EXPECT_EQ(*code, std::nullopt) << "nobody answers";
}

}  // namespace
}  // namespace crivello::engine
