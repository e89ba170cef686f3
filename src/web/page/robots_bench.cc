// SPDX-License-Identifier: Apache-2.0
// A robots.txt of 5,000 rules, parsed once and queried often. The argument is the percentage of rules with
// wildcards.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "base/random.h"
#include "web/page/robots.h"

namespace crivello::web {
namespace {

constexpr int kRules = 5000;

void AppendWord(Random* random, std::string* out) {
  static const char* const kWords[] = {"search",  "user",  "cart",   "print", "tag",   "archive",
                                       "session", "login", "export", "api",   "admin", "feed",
                                       "sort",    "page",  "filter", "lang"};
  out->append(kWords[random->Below(16)]).append(std::to_string(random->Below(300)));
}

// Appends the text with each "W" replaced by a word.
void AppendFilled(std::string_view text, Random* random, std::string* out) {
  for (const char c : text) {
    if (c == 'W') {
      AppendWord(random, out);
    } else {
      out->push_back(c);
    }
  }
}

std::string MakeFile(int wildcards_percent) {
  SeededRandom random(1);
  std::string text = "User-agent: *\n";
  for (int i = 0; i < kRules; i++) {
    text += random.Below(5) == 0 ? "Allow: " : "Disallow: ";
    const bool wildcard = random.Below(100) < static_cast<uint64_t>(wildcards_percent);
    AppendFilled(!wildcard              ? "/W/W/\n"
                 : random.Below(2) == 0 ? "/*/W*W=\n"
                                        : "/*/W/*.pdf$\n",
                 &random, &text);
  }
  return text;
}

std::vector<std::string> MakePaths() {
  SeededRandom random(2);
  std::vector<std::string> paths(256);
  for (std::string& path : paths) {
    AppendFilled("/W/W/a-rather-long-title-of-a-page-W.html?id=W&W=1", &random, &path);
  }
  return paths;
}

void BM_Robots_Check(benchmark::State& state) {
  const Robots robots = Robots::Parse(MakeFile(static_cast<int>(state.range(0))), "crivello");
  const auto paths = MakePaths();
  size_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(robots.Check(paths[i++ % paths.size()]));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_Robots_Check)->Arg(0)->Arg(10)->Arg(100);

void BM_Robots_Parse(benchmark::State& state) {
  const std::string text = MakeFile(static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(Robots::Parse(text, "crivello").rules());
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(text.size()));
}
BENCHMARK(BM_Robots_Parse)->Arg(0)->Arg(100);

}  // namespace
}  // namespace crivello::web
