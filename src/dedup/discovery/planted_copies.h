// SPDX-License-Identifier: Apache-2.0
// Texts with planted copies, for tests and benchmarks; included only by _test.cc and _bench.cc files.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"

namespace crivello::dedup {

// How a text was changed, and whether the result is a near-duplicate: more than nine tenths of its words are
// the same as in the original.
enum class Plant : uint8_t {
  kExact,
  kBannerAndDate,  // a different line of advertising and date in front
  kMovedParagraph,
  kTemplate,         // the frame of a site around a different article: not a near-duplicate
  kScatteredTenth,   // 10% of the words replaced, scattered
  kTenthInOnePlace,  // 10% of the words replaced, consecutive ones
};
constexpr Plant kPlants[] = {Plant::kExact,    Plant::kBannerAndDate,  Plant::kMovedParagraph,
                             Plant::kTemplate, Plant::kScatteredTenth, Plant::kTenthInOnePlace};
constexpr bool IsNearDuplicate(Plant plant) { return plant != Plant::kTemplate; }
constexpr const char* PlantName(Plant plant) {
  switch (plant) {
    case Plant::kExact:
      return "exact copy";
    case Plant::kBannerAndDate:
      return "banner and date changed";
    case Plant::kMovedParagraph:
      return "paragraph moved";
    case Plant::kTemplate:
      return "template, other content";
    case Plant::kScatteredTenth:
      return "10% of words changed, scattered";
    case Plant::kTenthInOnePlace:
      return "10% of words changed, in one place";
  }
  return "";
}

// Pages of random words with frequencies as in a language: word i has probability about 1 / i.
class PageMaker {
 public:
  explicit PageMaker(uint64_t seed) : random_(seed) {
    for (const auto& [text, words] : {std::pair("header", 20), std::pair("footer", 15)}) {
      for (int i = 0; i < words; i++) frame_.push_back(text + WordAt(random_.Below(kWords)));
    }
  }

  // About 100 to 400 words in paragraphs.
  std::vector<std::vector<std::string>> Article() {
    std::vector<std::vector<std::string>> paragraphs(4 + random_.Below(4));
    for (auto& paragraph : paragraphs) {
      for (uint64_t words = 25 + random_.Below(30); words > 0; words--) paragraph.push_back(Word());
    }
    return paragraphs;
  }
  // The article as a page, alone or in the frame of the site.
  std::string Page(const std::vector<std::vector<std::string>>& article, bool framed = false) const {
    std::string page;
    const auto add = [&](const std::string& word) { page += word + ' '; };
    if (framed) std::for_each(frame_.begin(), frame_.begin() + 20, add);
    for (const auto& paragraph : article) {
      std::for_each(paragraph.begin(), paragraph.end(), add);
      page += "\n\n";
    }
    if (framed) std::for_each(frame_.begin() + 20, frame_.end(), add);
    return page;
  }

  // A page and its changed copy.
  std::pair<std::string, std::string> Plants(Plant plant) {
    const auto article = Article();
    auto copy = article;
    switch (plant) {
      case Plant::kExact:
        break;
      case Plant::kBannerAndDate:
        return {Banner() + Page(article), Banner() + Page(copy)};
      case Plant::kMovedParagraph:
        std::rotate(copy.begin(), copy.begin() + 1, copy.end());
        break;
      case Plant::kTemplate:
        return {Page(article, true), Page(Article(), true)};
      case Plant::kScatteredTenth:
        for (auto& paragraph : copy) {
          for (auto& word : paragraph) word = random_.Below(10) == 0 ? Word() : word;
        }
        break;
      case Plant::kTenthInOnePlace: {
        size_t words = 0;
        for (const auto& paragraph : copy) words += paragraph.size();
        const size_t begin = random_.Below(words - words / 10), end = begin + words / 10;
        size_t at = 0;
        for (auto& paragraph : copy) {
          for (auto& word : paragraph) {
            word = at >= begin && at < end ? Word() : word;
            at++;
          }
        }
        break;
      }
    }
    return {Page(article), Page(copy)};
  }

  std::string Word() {
    // Uniform in the logarithm.
    const auto rank = static_cast<uint64_t>(std::exp(random_.Unit() * std::log(static_cast<double>(kWords))));
    return WordAt(rank);
  }

 private:
  static constexpr uint64_t kWords = 50'000;

  static std::string WordAt(uint64_t rank) {
    std::string word;
    for (uint64_t rest = rank + 1; rest > 0; rest /= 20) word += "etaoinsrhldcumfpgwyb"[rest % 20];
    return word;
  }
  std::string Banner() {
    std::string banner = "Only today " + Word() + " " + Word() + " " + Word() + "! ";
    return banner + std::to_string(1 + random_.Below(28)) + " May " +
           std::to_string(2000 + random_.Below(26)) + "\n";
  }

  SeededRandom random_;
  std::vector<std::string> frame_;
};

}  // namespace crivello::dedup
