// SPDX-License-Identifier: Apache-2.0
// Encoding sniffing on html5lib's cases, detection on the samples of chardet and node-chardet.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "base/conformance_suite.h"
#include "charset/charset.h"

namespace crivello::charset {
namespace {

std::string ReadAll(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower;
}

using CharsetConformanceTest = ConformanceSuite;
CRV_CONFORMANCE_SUITE(CharsetConformanceTest);

TEST_P(CharsetConformanceTest, SniffsEveryCaseOfHtml5lib) {
  const std::string folder = SuitePath("html/encoding");
  if (folder.empty()) GTEST_SKIP() << kNoSuite;
  Score score(ScoreName("html/encoding"));
  for (const std::string name : {"tests1.dat", "tests2.dat", "test-yahoo-jp.dat"}) {
    const std::string file = ReadAll(folder + "/" + name);
    // "#data\n" bytes "\n#encoding\n" name "\n"
    for (size_t at = file.find("#data\n"); at != std::string::npos;) {
      const size_t data = at + 6;
      const size_t end = file.find("\n#encoding\n", data);
      ASSERT_NE(end, std::string::npos);
      const size_t label = end + 11;
      const std::string expected = Lower(file.substr(label, file.find('\n', label) - label));
      at = file.find("\n#data\n", label);
      if (at != std::string::npos) at++;
      const std::string bytes = file.substr(data, end - data);
      const CharsetDecision decision = DecideCharset(bytes, "", {.detect = false});
      score.Case(Lower(EncodingName(decision.encoding)) == expected,
                 name + ": " + bytes.substr(0, 60) + ": expected " + expected);
    }
  }
  ExpectScore(score, {.cases = 59, .percent = 100});
}

struct Sample {
  std::string path;
  std::string bytes;
  std::string encoding;  // lower case
};

std::vector<Sample> Samples(const std::string& folder) {
  std::vector<Sample> samples;
  std::ifstream manifest(folder + "/manifest.tsv");
  std::string line;
  std::getline(manifest, line);
  while (std::getline(manifest, line)) {
    std::vector<std::string> fields;
    for (size_t at = 0;;) {
      const size_t tab = line.find('\t', at);
      fields.push_back(line.substr(at, tab - at));
      if (tab == std::string::npos) break;
      at = tab + 1;
    }
    if (fields.size() < 3 || fields[2].empty()) continue;
    samples.push_back({fields[0], ReadAll(folder + "/" + fields[0]), fields[2]});
  }
  return samples;
}

// `decide` finds the encoding of each sample; `exact` scores by name, `same_text` by the decoded text.
template <typename Decide>
void ScoreSamples(const std::vector<Sample>& samples, Decide decide, Score& exact, Score& same_text) {
  for (const Sample& sample : samples) {
    const CharsetDecision found = decide(sample.bytes);
    const std::string name(EncodingName(found.encoding));
    const std::string what = sample.path + ": expected " + sample.encoding + ", found " + name;
    const bool same_name = Lower(name) == sample.encoding;
    exact.Case(same_name, what);
    const auto right = EncodingForLabel(sample.encoding);
    same_text.Case(same_name || (right && DecodeToUtf8(sample.bytes, *right).text() ==
                                              DecodeToUtf8(sample.bytes, found.encoding).text()),
                   what);
  }
}

TEST_P(CharsetConformanceTest, DetectsWithoutLabels) {
  const std::string folder = SuitePath("charset");
  if (folder.empty()) GTEST_SKIP() << kNoSuite;
  Score exact(ScoreName("charset/exact"));
  Score same_text(ScoreName("charset/same-text"));
  ScoreSamples(
      Samples(folder), [](std::string_view bytes) { return DetectCharset(bytes); }, exact, same_text);
  ExpectScore(exact, {.cases = 276, .percent = 85});
  ExpectScore(same_text, {.percent = 93});
}

TEST_P(CharsetConformanceTest, DecidesWithLabels) {
  const std::string folder = SuitePath("charset");
  if (folder.empty()) GTEST_SKIP() << kNoSuite;
  Score exact(ScoreName("charset/labels/exact"));
  Score same_text(ScoreName("charset/labels/same-text"));
  ScoreSamples(
      Samples(folder), [](std::string_view bytes) { return DecideCharset(bytes); }, exact, same_text);
  ExpectScore(exact, {.percent = 85});
  ExpectScore(same_text, {.percent = 93});
}

}  // namespace
}  // namespace crivello::charset
