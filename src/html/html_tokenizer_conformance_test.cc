// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "base/conformance_suite.h"
#include "charset/utf8.h"
#include "html/entities.h"
#include "html/html_test_support.h"

namespace crivello::html {
namespace {

using Json = nlohmann::json;

// Decodes \uHHHH in the text itself; lone surrogates become their three bytes.
std::string Unescape(const std::string& text) {
  std::string result;
  uint32_t high = 0;
  const auto flush_high = [&] {
    if (high != 0) charset::AppendUtf8(high, &result);
    high = 0;
  };
  for (size_t i = 0; i < text.size();) {
    if (text.compare(i, 2, "\\u") != 0) {
      flush_high();
      result += text[i++];
      continue;
    }
    const auto unit = static_cast<uint32_t>(std::stoul(text.substr(i + 2, 4), nullptr, 16));
    i += 6;
    if (high != 0 && unit >= 0xDC00 && unit < 0xE000) {
      charset::AppendUtf8(0x10000 + ((high - 0xD800) << 10) + (unit - 0xDC00), &result);
      high = 0;
      continue;
    }
    flush_high();
    if (unit >= 0xD800 && unit < 0xDC00) {
      high = unit;
    } else {
      charset::AppendUtf8(unit, &result);
    }
  }
  flush_high();
  return result;
}

// The expected tokens of a case, in TokenLog's format. The suite's attributes are unordered.
std::vector<std::string> Wanted(const Json& output, const std::function<std::string(const Json&)>& text) {
  TokenLog log;
  for (const Json& token : output) {
    const std::string kind = token[0];
    if (kind == "Character") {
      log.OnText(text(token[1]));
    } else if (kind == "Comment") {
      log.OnComment(text(token[1]));
    } else if (kind == "DOCTYPE") {
      DoctypeToken doctype;
      std::string parts[3];
      bool* has[3] = {&doctype.has_name, &doctype.has_public_id, &doctype.has_system_id};
      for (size_t i = 0; i < 3; ++i) {
        *has[i] = !token[i + 1].is_null();
        if (*has[i]) parts[i] = text(token[i + 1]);
      }
      doctype.name = parts[0];
      doctype.public_id = parts[1];
      doctype.system_id = parts[2];
      doctype.force_quirks = !token[4].get<bool>();
      log.OnDoctype(doctype);
    } else {
      const std::string name = text(token[1]);
      TagToken tag;
      tag.name = name;
      std::map<std::string, std::string> values;
      std::vector<Attribute> attributes;
      if (kind == "StartTag") {
        for (const auto& [key, value] : token[2].items()) values[text(Json(key))] = text(value);
        tag.self_closing = token.size() > 3 && token[3].get<bool>();
      }
      for (const auto& [key, value] : values) attributes.push_back({key, value});
      tag.attributes = attributes;
      if (kind == "StartTag") {
        log.OnStartTag(tag);
      } else {
        log.OnEndTag(tag);
      }
    }
  }
  return log.lines;
}

class SortedLog : public TokenLog {
 public:
  void OnStartTag(const TagToken& tag) override {
    std::vector<Attribute> sorted(tag.attributes.begin(), tag.attributes.end());
    std::sort(sorted.begin(), sorted.end(),
              [](const Attribute& a, const Attribute& b) { return a.name < b.name; });
    TagToken copy = tag;
    copy.attributes = sorted;
    TokenLog::OnStartTag(copy);
  }
};

// In pieces of up to max_piece bytes; 0: all at once.
std::vector<std::string> SuiteTokens(const std::string& input, const std::string& state,
                                     const std::string& last, size_t max_piece, Random& random) {
  using Content = HtmlTokenizer::Content;
  static const std::map<std::string, Content> kStates = {
      {"Data state", Content::kData},          {"PLAINTEXT state", Content::kPlaintext},
      {"RCDATA state", Content::kRcdata},      {"RAWTEXT state", Content::kRawtext},
      {"Script data state", Content::kScript}, {"CDATA section state", Content::kCdata}};
  SortedLog log;
  HtmlTokenizer tokenizer(&log);
  tokenizer.SetContent(kStates.at(state), last);
  if (max_piece == 0) {
    tokenizer.Feed(input);
  } else {
    InPieces(input, random, max_piece, [&](std::string_view piece) { tokenizer.Feed(piece); });
  }
  tokenizer.Finish();
  return log.lines;
}

void RunFile(const std::filesystem::path& path, Score& score) {
  SeededRandom random(1);
  std::ifstream file(path);
  const Json suite = Json::parse(file);
  for (const char* key : {"tests", "xmlViolationTests"}) {
    for (const Json& test : suite.value(key, Json::array())) {
      const bool escaped = test.value("doubleEscaped", false);
      const auto text = [escaped](const Json& value) {
        return escaped ? Unescape(value.get<std::string>()) : value.get<std::string>();
      };
      const std::string input = text(test["input"]);
      const auto wanted = Wanted(test["output"], text);
      bool passed = true;
      for (const Json& state : test.value("initialStates", Json::array({"Data state"}))) {
        const std::string last = test.value("lastStartTag", "");
        passed = passed && SuiteTokens(input, state, last, 0, random) == wanted &&
                 SuiteTokens(input, state, last, 1, random) == wanted &&
                 SuiteTokens(input, state, last, 5, random) == wanted;
      }
      score.Case(passed, path.filename().string() + ": " + test["description"].get<std::string>());
    }
  }
}

using HtmlTokenizerConformanceTest = ConformanceSuite;
CRV_CONFORMANCE_SUITE(HtmlTokenizerConformanceTest);

TEST_P(HtmlTokenizerConformanceTest, PassesHtml5lib) {
  const std::string folder = SuitePath("html/tokenizer");
  if (folder.empty()) GTEST_SKIP() << kNoSuite;
  Score score(ScoreName("html-tokenizer"));
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".test") RunFile(entry.path(), score);
  }
  ExpectScore(score, {.cases = 5091, .percent = 99.5});
}

}  // namespace
}  // namespace crivello::html
