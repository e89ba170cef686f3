// SPDX-License-Identifier: Apache-2.0
// Rankings against the judgements of the classic test collections.  The floors are what plain BM25 with a
// stemmer reaches; nothing here is tuned to these collections.
#include <gtest/gtest.h>
#include <simdjson.h>
#include <zlib.h>

#include <cstdio>
#include <fstream>
#include <sstream>

#include "base/conformance.h"
#include "index/segment_builder.h"
#include "search/evaluation.h"
#include "search/index_searcher.h"
#include "text/language.h"

namespace crivello::search {
namespace {

std::string ReadGzip(const std::string& path) {
  std::string out;
  const gzFile file = gzopen(path.c_str(), "rb");
  std::vector<char> buffer(1 << 16);
  for (int n = 0; (n = gzread(file, buffer.data(), static_cast<unsigned>(buffer.size()))) > 0;) {
    out.append(buffer.data(), static_cast<size_t>(n));
  }
  gzclose(file);
  return out;
}

std::string ReadFile(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream out;
  out << file.rdbuf();
  return out.str();
}

// As the pages of a crawl would be: title and text apart, in the language that they look like.
std::unique_ptr<IndexSearcher> SearcherOf(const std::string& folder) {
  index::MemorySink sink;
  auto builder = index::SegmentBuilder::Create({.store_text = false}, sink);
  simdjson::dom::parser parser;
  std::istringstream lines(ReadGzip(folder + "/docs.jsonl.gz"));
  for (std::string line; std::getline(lines, line);) {
    const simdjson::dom::element json = parser.parse(line);
    index::IndexDocument document;
    document.id = std::string_view(json["id"]);
    const auto title = static_cast<std::string>(std::string_view(json["title"]));
    const auto text = static_cast<std::string>(std::string_view(json["text"]));
    document.language = text::DetectLanguage(title + "\n" + text).code;
    document.texts = {{"title", title}, {"body", text}};
    document.labels = {{"language", document.language}};
    EXPECT_TRUE((*builder)->Add(std::move(document)).ok());
  }
  EXPECT_TRUE((*builder)->Finish().ok());
  std::vector<index::SegmentView> views = {{*index::Segment::FromParts(std::move(sink).Release()), nullptr}};
  return *IndexSearcher::Create(
      std::make_shared<index::Snapshot>(std::move(views), 1, std::string(text::kStandardAnalyser)));
}

struct Floors {
  double map = 0;
  double ndcg10 = 0;
};

void TestCollection(const std::string& name, const Floors& floors) {
  const std::string folder = SharedPath("conformance/ir/" + name);
  if (folder.empty()) GTEST_SKIP() << "skipped: no ../shared";
  const auto searcher = SearcherOf(folder);
  const std::vector<Topic> topics = *ReadTopics(ReadFile(folder + "/queries.tsv"));
  const Judgements judgements = *ReadJudgements(ReadFile(folder + "/qrels.txt"));
  const auto run = RunTopics(*searcher, topics, {});
  ASSERT_TRUE(run.ok()) << run.status().ToString();
  const double map = Evaluate(*Measure::Parse("map"), *run, judgements).mean;
  const double ndcg10 = Evaluate(*Measure::Parse("ndcg@10"), *run, judgements).mean;
  std::printf("effectiveness %s map %.4f ndcg@10 %.4f\n", name.c_str(), map, ndcg10);
  EXPECT_GE(map, floors.map);
  EXPECT_GE(ndcg10, floors.ndcg10);
}

TEST(EffectivenessTest, IsAboveTheFloorOnCranfield) { TestCollection("cranfield", {0.305, 0.384}); }
TEST(EffectivenessTest, IsAboveTheFloorOnCacm) { TestCollection("cacm", {0.319, 0.475}); }

}  // namespace
}  // namespace crivello::search
