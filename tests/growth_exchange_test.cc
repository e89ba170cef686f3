// SPDX-License-Identifier: Apache-2.0
// No input costs more than in proportion to its size: files of other programs, standard input, and requests.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/atomic_file.h"
#include "base/test_support.h"
#include "graph/bv/java_properties.h"
#include "graph/exchange/text_graph.h"
#include "growth.h"
#include "index/build/ciff.h"
#include "index/segments/segment_sink.h"
#include "jobs/exchange/common_crawl.h"
#include "jobs/exchange/packed_lines.h"
#include "lab/integers.h"
#include "policy/traps.h"
#include "search/evaluation/evaluation.h"
#include "serve/api/api_keys.h"
#include "serve/http/host_names.h"
#include "serve/http/http_answer.h"
#include "serve/http/request_head.h"
#include "sieve/sieve_lines.h"
#include "store/trec.h"
#include "web/url/canonical.h"
#include "web/url/public_suffix.h"

namespace crivello {
namespace {

TEST(GrowthTest, OfCollectionsForTests) {
  ExpectLinear("TREC Web", 64 << 10,
               {{"<DOC>"},
                {"<DOC>\n<DOCNO>a</DOCNO>\n</DOC>\n"},
                {"<DOCNO>", "<DOC>\n"},
                {"<DOCHDR>", "<DOC>\n<DOCNO>a</DOCNO>\n"},
                {"</DOC"},
                {"a\n", "<DOC>\n<DOCNO>a</DOCNO>\n"}},
               [](std::string_view file) {
                 store::TrecReader reader(file);
                 while (reader.Next()) {
                 }
               });
  const std::vector<Shape> lines = {{"1 0 a 1\n"},
                                    {"1 Q0 a 1 2.5 b\n"},
                                    {"<top>\n<num> 1\n<title> a\n</top>\n"},
                                    {"<top>"},
                                    {"<num>", "<top>\n"},
                                    {" "},
                                    {"\n"},
                                    {"a"}};
  ExpectLinear("topics", 32 << 10, lines, [](std::string_view text) { (void)search::ReadTopics(text).ok(); });
  ExpectLinear("judgements", 32 << 10, lines,
               [](std::string_view text) { (void)search::ReadJudgements(text).ok(); });
  ExpectLinear("run", 32 << 10, lines, [](std::string_view text) { (void)search::ReadRun(text).ok(); });
  ExpectLinear("CIFF", 32 << 10,
               {{"a"}, {std::string_view("\0", 1)}, {"\x01"}, {"\xff"}, {"\x0a\x02\x08\x01"}},
               [](std::string_view file) {
                 index::MemorySink sink;
                 (void)index::ImportCiff(AsBytes(file), {}, sink).ok();
               });
}

TEST(GrowthTest, OfGraphs) {
  const TemporaryFolder folder;
  const std::string path = folder / "graph";
  const auto write = [&](std::string_view text) {
    ASSERT_TRUE(WriteFileAtomically(path, AsBytes(text)).ok());
  };
  ExpectLinear("ASCII graph", 32 << 10,
               {{"0 ", "2\n"}, {"0\n", "20000\n"}, {"\n", "20000\n"}, {"9", ""}, {" ", ""}},
               [&](std::string_view text) {
                 write(text);
                 auto reader = graph::AsciiGraphReader::Open(path);
                 while (reader.ok() && reader->Next()) {
                 }
               });
  ExpectLinear("list of arcs", 32 << 10, {{"0 1\n"}, {"0\t1\n"}, {"#\n"}, {" "}, {"9"}, {"\n"}},
               [&](std::string_view text) {
                 write(text);
                 auto reader = graph::ArcListReader::Open(path);
                 while (reader.ok() && reader->Next()) {
                 }
               });
  ExpectLinear("properties of a graph", 32 << 10,
               {{"a=b\n"}, {"a"}, {"\\\n"}, {"\\u0041"}, {"#\n"}, {" "}, {"a=b\\\n"}},
               [](std::string_view text) { (void)graph::ParseJavaProperties(text).ok(); });
  ExpectLinear("graph of Common Crawl", 32 << 10,
               {{"1\tcom.a\n"}, {"1\t2\n"}, {"1\t0.5\t2\t0.5\tcom.a\n"}, {"\n"}, {"a"}, {"\t"}, {"9"}},
               [](std::string_view text) {
                 jobs::PackedLines lines = jobs::PackedLines::Of(text, "input");
                 while (lines.Next()) {
                   (void)jobs::ParseVertex(lines.line()).ok();
                   (void)jobs::ParseEdge(lines.line()).ok();
                   (void)jobs::ParseRank(lines.line()).ok();
                 }
               });
}

TEST(GrowthTest, OfLines) {
  ExpectLinear("line of a sieve", 32 << 10,
               {{"a"}, {"\t"}, {"http://a.test/"}, {"0"}, {"%41", "http://a.test/"}},
               [](std::string_view line) {
                 (void)sieve::ParseUrlLine(line).ok();
                 (void)sieve::ParseSignatureLine(line).ok();
                 (void)sieve::ParseSieveLine(line).ok();
               });
  ExpectLinear("integers", 32 << 10, {{"1 "}, {"1\n"}, {"9"}, {" "}, {"a "}, {"-1,"}},
               [](std::string_view text) {
                 (void)lab::ParseIntegers(text).ok();
                 (void)lab::ParseBinaryIntegers(text, 4).ok();
                 (void)lab::PostingsOf(text);
               });
  ExpectLinear("public suffixes", 32 << 10, {{"a\n"}, {"*.a\n"}, {"!b.a\n"}, {"a."}, {"//\n"}},
               [](std::string_view text) { (void)web::PublicSuffixList::FromText(text).ok(); });
  ExpectLinear("host", 1000, {{"a."}, {"."}, {"a"}},
               [](std::string_view host) { (void)web::PublicSuffixList::BuiltIn().RegistrableDomain(host); });
  ExpectLinear("traps", 1000, {{"/a"}, {"/2020/01"}, {"a=b&", "/?"}, {"/a/b"}, {"/-"}, {"0", "/"}},
               [](std::string_view path) {
                 const auto url = web::CanonicalUrl("http://a.test" + std::string(path));
                 if (url.ok()) (void)policy::CheckUrl(*url, {.this_year = 2026});
               });
}

TEST(GrowthTest, OfRequests) {
  const std::vector<Shape> shapes = {
      {"a"},      {"/"}, {"%41", "/"}, {","}, {"a,"},         {";q=0,", "gzip"},
      {"\"a\","}, {":"}, {"["},        {" "}, {"a=b&", "/?"}, {".", "a"}};
  ExpectLinear("request", 32 << 10, shapes, [](std::string_view text) {
    (void)serve::ReadRequestHead("GET", text, {{"host", "localhost"}}, 11).ok();
    (void)serve::ReadRequestHead("GET", "/", {{"host", std::string(text)}}, 11).ok();
    (void)serve::HostNames(false, {"search.example"}).Admits(text);
    (void)serve::AcceptsGzip(text);
    (void)serve::MatchesTag(text, "\"a\"");
  });
  ExpectLinear("keys", 32 << 10, {{"search "}, {"search sha256:00\n"}, {"#"}, {"\n"}, {"a"}},
               [](std::string_view text) { (void)serve::ApiKeys::FromText(text).ok(); });
}

}  // namespace
}  // namespace crivello
