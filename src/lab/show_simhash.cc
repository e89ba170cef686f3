// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "base/hash.h"
#include "dedup/shingles/words.h"
#include "dedup/simhash/wide_simhash.h"
#include "lab/demonstration.h"
#include "lab/svg.h"

namespace crivello::lab {
namespace {

constexpr unsigned kMostShownBits = 64;
constexpr size_t kMostShownWords = 200;

// The highest bit first, as in the slides.
std::string ShownBits(Signature128 value, unsigned width) {
  std::string bits;
  for (unsigned i = width; i-- > 0;) bits += (value.low >> i & 1) != 0 ? '1' : '0';
  return bits;
}

struct Voted {
  dedup::WideSimHash hash;
  std::string step;
};

Result<Voted> VoteOn(std::string_view name, std::string_view text, unsigned bits) {
  const dedup::Words words(text);
  if (words.size() == 0 || words.size() > kMostShownWords) {
    return Status::InvalidArgument(
        fmt::format("{} has {} words: expected 1 to {}", name, words.size(), kMostShownWords));
  }
  std::map<std::string_view, int64_t> weights;
  std::vector<std::string_view> order;
  for (size_t i = 0; i < words.size(); i++) {
    if (weights[words[i]]++ == 0) order.push_back(words[i]);
  }
  Voted voted = {dedup::WideSimHash(bits), fmt::format("{}: words, their weights and hashes", name)};
  for (const std::string_view word : order) {
    const Signature128 hash = Hash128(word);
    voted.hash.Add(hash, weights[word]);
    voted.step += fmt::format("\n{:>3}  {}  {}", weights[word], ShownBits(hash, bits), word);
  }
  const std::vector<int64_t> votes(voted.hash.votes().rbegin(), voted.hash.votes().rend());
  voted.step += fmt::format(
      "\nvotes: the weight for each 1, less the weight for each 0\n{}\nfingerprint: 1 where the vote is "
      "positive\n{}",
      fmt::join(votes, " "), ShownBits(voted.hash.Value(), bits));
  return voted;
}

}  // namespace

Result<Demonstration> ShowSimHash(std::string_view one, std::string_view other, unsigned bits) {
  if (bits == 0 || bits > kMostShownBits) {
    return Status::InvalidArgument(
        fmt::format("a SimHash to show has 1 to {} bits, got {}", kMostShownBits, bits));
  }
  CRV_ASSIGN(const Voted a, VoteOn("the first text", one, bits));
  CRV_ASSIGN(const Voted b, VoteOn("the second text", other, bits));
  const int distance = dedup::HammingDistance(a.hash.Value(), b.hash.Value());
  Demonstration shown;
  shown.steps = {a.step, b.step,
                 fmt::format("{} of {} bits differ\n{}\n{}", distance, bits, ShownBits(a.hash.Value(), bits),
                             ShownBits(b.hash.Value(), bits))};
  Svg svg(80 + bits * 22, 320, "SimHash: the votes of two texts");
  int64_t most = 1;
  for (const auto* hash : {&a.hash, &b.hash}) {
    for (const int64_t vote : hash->votes()) most = std::max<int64_t>(most, std::abs(vote));
  }
  const auto draw = [&](const dedup::WideSimHash& hash, double middle, std::string_view colour) {
    svg.Line(40, middle, 50 + bits * 22, middle);
    for (unsigned i = 0; i < bits; i++) {
      const auto vote = static_cast<double>(hash.votes()[bits - 1 - i]);
      const double height = 50 * std::fabs(vote) / static_cast<double>(most);
      svg.Box(44 + i * 22, vote > 0 ? middle - height : middle, 16, height, vote > 0 ? colour : "#ffffff");
      svg.Text(52 + i * 22, middle + 66, vote > 0 ? "1" : "0", "#222222", "middle");
    }
  };
  draw(a.hash, 100, Svg::kBlue);
  draw(b.hash, 240, Svg::kRed);
  shown.svg = std::move(svg).Finish();
  return shown;
}

}  // namespace crivello::lab
