// SPDX-License-Identifier: Apache-2.0
// The cost of a page from its body to its cells, without network and disk: synthetic pages, and those of
// $CRIVELLO_PAGES.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "base/random.h"
#include "base/test_support.h"
#include "html/bench_pages.h"
#include "page/page_deriver.h"
#include "web/http/http_message.h"

namespace crivello::page {
namespace {

// About 12 KB in 140 paragraphs of made-up words, with 20 links.
std::string MadePage(uint64_t seed) {
  SeededRandom random(seed);
  constexpr std::string_view kSyllables[] = {"ka", "lo", "mi", "ne", "ru", "ta", "so", "cor", "ten", "lin"};
  std::string page = "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>Page " +
                     std::to_string(seed) + "</title></head>\n<body><h1>" + std::to_string(seed) +
                     "</h1>\n<p>";
  for (int i = 0; i < 20; ++i) {
    page += "<a href=\"/p/" + std::to_string(random.Below(1000)) + "\">link " + std::to_string(i) + "</a>\n";
  }
  for (int word = 1; page.size() < 12'000; ++word) {
    for (uint64_t n = 1 + random.Below(4); n > 0; --n)
      page += kSyllables[random.Below(std::size(kSyllables))];
    page += word % 14 == 0 ? ".</p>\n<p>" : " ";
  }
  return page + "</p>\n</body></html>\n";
}

void Derive(benchmark::State& state, const std::vector<std::string>& pages) {
  if (pages.empty()) {
    state.SkipWithError("no pages: set CRIVELLO_PAGES to a folder of .html files");
    return;
  }
  TemporaryFolder folder;
  kv::DatabaseOptions options;
  options.families = {{.name = "site"}};
  const auto db = kv::Database::Open(folder.path() + "/db", options).value();
  SiteTemplates templates(*db, 0);
  PageDeriver deriver({});
  const web::Url url = web::ParseUrl("http://example.test/p/1").value();
  const web::HttpResponse http = web::ParseHttpResponse("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n");
  store::FetchCell fetch;
  std::string text, links;
  size_t bytes = 0;
  for (auto _ : state) {
    for (const std::string& body : pages) {
      const auto page = deriver.Derive({.url = url, .fields = http.fields, .body = body}, templates);
      deriver.Fill(*page, &fetch, &text, &links);
      bytes += body.size();
    }
  }
  state.SetBytesProcessed(static_cast<int64_t>(bytes));
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(pages.size()));
}

void BM_Derive_Made(benchmark::State& state) {
  std::vector<std::string> pages;
  for (uint64_t i = 0; i < 200; ++i) pages.push_back(MadePage(i));
  Derive(state, pages);
}
BENCHMARK(BM_Derive_Made);

void BM_Derive_Real(benchmark::State& state) { Derive(state, html::BenchPages()); }
BENCHMARK(BM_Derive_Real);

}  // namespace
}  // namespace crivello::page
