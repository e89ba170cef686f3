// SPDX-License-Identifier: Apache-2.0
// For the conformance test and related tests: the public sets of pages with known main content, scored as
// their makers do.
#pragma once

#include <simdjson.h>
#include <unicode/uchar.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "charset/charset.h"
#include "charset/encoding_decode.h"
#include "charset/utf8.h"
#include "web/http/decompress.h"

namespace crivello::text {

struct ExtractionPage {
  std::string name;
  std::string html;  // UTF-8
  std::string url;
  std::string truth;                 // the whole main text, or else
  std::vector<std::string> with;     // segments that must be in it, and
  std::vector<std::string> without;  // segments that must not
  std::string title;                 // if the set has it
  std::string author;
  std::string date;
};

inline std::string ReadGzip(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string packed(std::istreambuf_iterator<char>(in), {});
  web::Decompressor gzip(web::ContentCoding::kGzip);
  std::string bytes;
  gzip.Feed(packed, [&](std::string_view piece) { bytes += piece; });
  gzip.Finish();
  return bytes;
}

inline std::string ReadGzipPage(const std::string& path) {
  const std::string bytes = ReadGzip(path);
  return std::string(charset::DecodeToUtf8(bytes, charset::DecideCharset(bytes, "").encoding).text());
}

inline std::string JsonString(simdjson::dom::element object, const char* key) {
  std::string_view text;
  return object[key].get(text) == simdjson::SUCCESS ? std::string(text) : "";
}

inline std::vector<std::string> JsonStrings(simdjson::dom::element object, const char* key) {
  std::vector<std::string> strings;
  simdjson::dom::array array;
  if (object[key].get(array) != simdjson::SUCCESS) return strings;
  for (const simdjson::dom::element element : array) {
    std::string_view text;
    if (element.get(text) == simdjson::SUCCESS) strings.emplace_back(text);
  }
  return strings;
}

// Reads the pages of a set whose reference is one JSON object, keyed by name.
inline std::vector<ExtractionPage> ReadJsonSet(const std::string& folder, const std::string& truth) {
  std::vector<ExtractionPage> pages;
  simdjson::dom::parser parser;
  simdjson::dom::object all;
  if (parser.load(folder + "/" + truth).get(all) != simdjson::SUCCESS) return pages;
  for (const auto& [key, value] : all) {
    ExtractionPage page;
    page.name = std::string(key);
    page.html = ReadGzipPage(folder + "/html/" + page.name + ".html.gz");
    page.url = JsonString(value, "url");
    page.truth = JsonString(value, "articleBody");
    page.with = JsonStrings(value, "with");
    page.without = JsonStrings(value, "without");
    page.title = JsonString(value, "title");
    page.author = JsonString(value, "author");
    page.date = JsonString(value, "date");
    pages.push_back(std::move(page));
  }
  std::sort(pages.begin(), pages.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return pages;
}

// Counts of true positives etc., or shares.
struct Overlap {
  double tp = 0;
  double fp = 0;
  double fn = 0;
};

// Precision and recall of a set, and their harmonic mean.
struct ExtractionStats {
  double precision = 0;
  double recall = 0;
  double f1() const { return precision + recall == 0 ? 0 : 2 * precision * recall / (precision + recall); }
};

// Signatures of the shingles of four words (Python's \w+: letters, numbers, underscores), with their counts.
inline std::unordered_map<uint64_t, int> Shingles(std::string_view text) {
  std::vector<uint64_t> words;
  std::string word;
  for (size_t i = 0; i <= text.size();) {
    const size_t start = i;
    const char32_t c = i < text.size() ? charset::TakeCodePoint(text, &i) : U' ';
    if (start == text.size()) ++i;
    const auto mask = U_GET_GC_MASK(static_cast<UChar32>(c));
    if (c == U'_' || (mask & (U_GC_L_MASK | U_GC_N_MASK)) != 0) {
      word += text.substr(start, i - start);
    } else if (!word.empty()) {
      words.push_back(Hash64(word));
      word.clear();
    }
  }
  std::unordered_map<uint64_t, int> shingles;
  for (size_t i = 0; i == 0 || i + 4 <= words.size(); ++i) {
    uint64_t hash = 0;
    for (size_t k = i; k < std::min(i + 4, words.size()); ++k) hash = Mix64(hash + words[k]);
    ++shingles[hash];
  }
  return shingles;
}

// Divided by their sum, so that a long page does not weigh more.
inline Overlap ShingleOverlap(std::string_view truth, std::string_view found) {
  const auto wanted = Shingles(truth);
  const auto given = Shingles(found);
  Overlap overlap;
  const auto count = [](const auto& table, uint64_t key) {
    const auto at = table.find(key);
    return at == table.end() ? 0 : at->second;
  };
  for (const auto& [key, n] : wanted) {
    overlap.tp += std::min(n, count(given, key));
    overlap.fn += std::max(0, n - count(given, key));
  }
  for (const auto& [key, n] : given) overlap.fp += std::max(0, n - count(wanted, key));
  const double sum = overlap.tp + overlap.fp + overlap.fn;
  if (sum > 0) overlap = {overlap.tp / sum, overlap.fp / sum, overlap.fn / sum};
  return overlap;
}

inline double PrecisionOf(const Overlap& o) {
  if (o.fp == 0 && o.fn == 0) return 1;
  return o.tp + o.fp == 0 ? 0 : o.tp / (o.tp + o.fp);
}
inline double RecallOf(const Overlap& o) {
  if (o.fp == 0 && o.fn == 0) return 1;
  return o.tp + o.fn == 0 ? 0 : o.tp / (o.tp + o.fn);
}

// Replaces each run of (Unicode) white space by one space, with none at the ends.
inline std::string NormalSpace(std::string_view text) {
  std::string normal;
  bool pending = false;
  for (size_t i = 0; i < text.size();) {
    const size_t start = i;
    const char32_t c = charset::TakeCodePoint(text, &i);
    if (u_isUWhiteSpace(static_cast<UChar32>(c))) {
      pending = !normal.empty();
      continue;
    }
    if (pending) normal += ' ';
    pending = false;
    normal += text.substr(start, i - start);
  }
  return normal;
}

inline Overlap SegmentOverlap(const ExtractionPage& page, std::string_view found) {
  const std::string text = NormalSpace(found);
  Overlap overlap;
  for (const std::string& segment : page.with)
    (text.find(NormalSpace(segment)) != std::string::npos ? overlap.tp : overlap.fn) += 1;
  for (const std::string& segment : page.without)
    overlap.fp += text.find(NormalSpace(segment)) != std::string::npos ? 1 : 0;
  return overlap;
}

// Averages over pages with a whole text; sums over pages with segments.
class ExtractionScore {
 public:
  Overlap Add(const ExtractionPage& page, std::string_view found) {
    const bool whole = page.with.empty() && page.without.empty();
    const Overlap overlap = whole ? ShingleOverlap(page.truth, found) : SegmentOverlap(page, found);
    if (whole) {
      ++pages_;
      precisions_ += PrecisionOf(overlap);
      recalls_ += RecallOf(overlap);
    } else {
      sum_.tp += overlap.tp;
      sum_.fp += overlap.fp;
      sum_.fn += overlap.fn;
    }
    return overlap;
  }
  ExtractionStats Figures() const {
    if (pages_ > 0) return {precisions_ / pages_, recalls_ / pages_};
    return {PrecisionOf(sum_), RecallOf(sum_)};
  }

 private:
  int pages_ = 0;
  double precisions_ = 0;
  double recalls_ = 0;
  Overlap sum_;
};

}  // namespace crivello::text
