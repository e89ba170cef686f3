// SPDX-License-Identifier: Apache-2.0
// Helpers for the tests of the command line.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "base/file_system.h"
#include "base/test_support.h"
#include "cli/command.h"

namespace crivello::cli {

// A file whose text can be read.
class Capture {
 public:
  Capture() : file_(std::tmpfile()) {}
  ~Capture() { std::fclose(file_); }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  std::FILE* file() { return file_; }
  Writer& writer() { return writer_; }
  std::string Text() {
    EXPECT_TRUE(writer_.Flush().ok());
    std::rewind(file_);
    std::string text;
    for (int c = std::fgetc(file_); c != EOF; c = std::fgetc(file_)) text += static_cast<char>(c);
    return text;
  }

 private:
  std::FILE* file_;
  Writer writer_{file_};
};

struct Outcome {
  int code = 0;
  std::string out;
  std::string err;
};

inline Outcome Crivello(const std::vector<std::string>& words,
                        const std::vector<std::string>& environment = {}) {
  std::vector<const char*> argv = {"crivello"};
  for (const auto& word : words) argv.push_back(word.c_str());
  Capture out, err;
  Outcome run;
  run.code = Main(static_cast<int>(argv.size()), argv.data(), out.writer(), err.writer(), environment);
  run.out = out.Text();
  run.err = err.Text();
  return run;
}

inline void WriteText(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

inline std::string Shell(const std::string& command) {
  std::string text;
  std::FILE* pipe = ::popen(command.c_str(), "r");
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
  ::pclose(pipe);
  return text;
}

}  // namespace crivello::cli
