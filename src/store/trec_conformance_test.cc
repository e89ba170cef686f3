// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>

#include "base/conformance_suite.h"
#include "base/mapped_file.h"
#include "store/trec.h"
#include "web/http/decompress.h"
#include "web/http/http_message.h"

namespace crivello::store {
namespace {

std::string Unpacked(const std::string& path) {
  const auto file = MappedFile::Open(path);
  EXPECT_TRUE(file.ok()) << path;
  return web::Decompress(AsText(file->bytes()), web::ContentCoding::kGzip).body;
}

// The slow, obvious way: the texts between the tags, in order.
std::vector<std::string> Numbers(const std::string& bytes) {
  constexpr std::string_view kStart = "<DOCNO>";
  std::vector<std::string> numbers;
  for (size_t at = bytes.find(kStart); at != std::string::npos; at = bytes.find(kStart, at + 1)) {
    const size_t number = at + kStart.size();
    numbers.push_back(bytes.substr(number, bytes.find('<', number) - number));
  }
  return numbers;
}

using TrecConformanceTest = ConformanceSuite;
CRV_CONFORMANCE_SUITE(TrecConformanceTest);

TEST_P(TrecConformanceTest, ReadsTheSampleOfTheGovCollection) {
  const std::string path = SuitePath("trecweb/gov1-G00-00.gz");
  if (path.empty()) GTEST_SKIP() << kNoSuite;
  Score score(ScoreName("trec-web"));
  const std::string bytes = Unpacked(path);
  TrecReader reader(bytes);
  const std::vector<std::string> numbers = Numbers(bytes);
  size_t documents = 0;
  while (const auto document = reader.Next()) {
    const std::string docno(document->docno);
    ASSERT_LT(documents, numbers.size());
    const web::HttpResponse head = web::ParseHttpResponse(document->http_head);
    score.Case(docno == numbers[documents++] && document->whole, docno);
    score.Case(document->url().starts_with("http://") && head.status == 200 && head.fields.malformed() == 0 &&
                   head.fields.Find("Content-type") == "text/html",
               docno + ": header");
    score.Case(document->content.find_first_not_of("\n") == document->content.find('<') &&
                   document->content.find("DOCHDR") == std::string_view::npos,
               docno + ": content");
    std::string again;
    ASSERT_TRUE(AppendTrec(*document, TrecUnsafe::kRefuse, &again).ok());
    score.Case(again == std::string_view(bytes).substr(document->offset, again.size()),
               docno + ": written again");
  }
  EXPECT_EQ(documents, 3u);
  EXPECT_EQ(reader.stray_bytes(), 0u);
  ExpectScore(score, {.percent = 100});
}

TEST_P(TrecConformanceTest, ReadsThePlayInTwentyTwoScenes) {
  const std::string folder = SuitePath("trecweb");
  if (folder.empty()) GTEST_SKIP() << kNoSuite;
  Score score(ScoreName("trec-text"));
  std::set<std::string> found;
  for (const char* part : {"1", "2"}) {
    const std::string bytes = Unpacked(folder + "/shakespeare-merchant.trec." + part + ".gz");
    const std::vector<std::string> numbers = Numbers(bytes);
    size_t documents = 0;
    TrecReader reader(bytes);
    while (const auto document = reader.Next()) {
      ASSERT_LT(documents, numbers.size());
      found.emplace(document->docno);
      score.Case(document->whole && numbers[documents++] == document->docno && !document->has_header &&
                     document->content.starts_with('<'),
                 std::string(document->docno));
    }
    EXPECT_EQ(reader.stray_bytes(), 0u);
  }
  EXPECT_EQ(found.size(), is_sample() ? 3u : 22u);
  ExpectScore(score, {.cases = 22, .percent = 100});
}

}  // namespace
}  // namespace crivello::store
