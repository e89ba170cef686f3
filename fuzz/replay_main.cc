// SPDX-License-Identifier: Apache-2.0
// NAME_fuzz_replay CORPORA [FUZZER...]: runs each fuzzer of a module (or only those named) on each file of
// its folder in CORPORA, so that every compiler tests what fuzzing has found.  A fuzzer without a folder has
// an empty corpus.  If it crashes, the unfinished line of output names the fuzzer.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <string_view>

#include "replay.h"

namespace crivello {
namespace {

int Replay(const Fuzzer& fuzzer, const std::filesystem::path& corpus) {
  int inputs = 0;
  fuzzer.run(nullptr, 0);
  if (!std::filesystem::exists(corpus)) return inputs;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(corpus)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    fuzzer.run(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
    inputs++;
  }
  return inputs;
}

int ReplayMain(const std::filesystem::path& corpora, std::span<char*> names) {
  const auto all = Fuzzers();
  for (const std::string_view name : names) {
    if (std::any_of(all.begin(), all.end(), [&](const Fuzzer& fuzzer) { return fuzzer.name == name; }))
      continue;
    std::fprintf(stderr, "no fuzzer '%s' in this module\n", name.data());
    return 2;
  }
  for (const Fuzzer& fuzzer : all) {
    const auto is_it = [&](std::string_view name) { return name == fuzzer.name; };
    if (!names.empty() && std::none_of(names.begin(), names.end(), is_it)) continue;
    std::printf("%s: ", fuzzer.name);
    std::fflush(stdout);
    std::printf("replayed %d inputs\n", Replay(fuzzer, corpora / fuzzer.name));
  }
  return 0;
}

}  // namespace
}  // namespace crivello

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s CORPORA [FUZZER...]\n", argv[0]);
    return 2;
  }
  return crivello::ReplayMain(argv[1], std::span(argv, static_cast<size_t>(argc)).subspan(2));
}
