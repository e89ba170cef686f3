// SPDX-License-Identifier: Apache-2.0
// Links as found in pages: parsed, resolved against the page and written. ns_per_item is the time for one
// link. With CRIVELLO_URLS, a file with one URL per line, also those.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "web/url/canonical.h"
#include "web/url/public_suffix.h"
#include "web/url/row_key.h"

namespace crivello::web {
namespace {

const char kBase[] = "https://www.example.org/docs/manual/chapter-03/section-2.html";

const std::vector<std::string>& Relative() {
  static const std::vector<std::string> links = {"section-3.html",
                                                 "../chapter-04/index.html",
                                                 "/about/contact",
                                                 "#footnote-12",
                                                 "?page=2&sort=date",
                                                 "images/figure-3.png",
                                                 "../../",
                                                 "/search?q=web+crawler&lang=en#results",
                                                 "./appendix.html",
                                                 "/static/css/main.7f3a.css",
                                                 "../index.html#top"};
  return links;
}

const std::vector<std::string>& Absolute() {
  static const std::vector<std::string> links = {
      "https://www.example.org/",
      "https://en.wikipedia.org/wiki/Web_crawler",
      "http://law.di.unimi.it/software.php#bubing",
      "https://github.com/LAW-Unimi/BUbiNG/blob/master/README.md",
      "https://news.example.com/2026/11/15/"
      "a-rather-long-title-of-an-article-with-many-words.html?utm_source=rss",
      "//cdn.example.net/lib/v3.2.1/app.min.js",
      "https://shop.example.co.uk/products/12345?colour=blue&size=xl",
  };
  return links;
}

const std::vector<std::string>& Unusual() {
  static const std::vector<std::string> links = {
      "https://B\xc3\xbc"
      "cher.example/caf\xc3\xa9?x=\xc3\xa9",
      "HTTP://Example.COM:80/a b/c|d", "http://192.168.0.1:8080/%7Euser/", "/a/../b/./c//d/%2e%2e/e",
      "mailto:someone@example.org"};
  return links;
}

void Count(benchmark::State& state, size_t links) {
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(links));
  state.counters["ns_per_item"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * static_cast<double>(links) * 1e-9,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void ResolveAll(benchmark::State& state, const std::vector<std::string>& links) {
  Url base, url;
  if (!base.Parse(kBase)) return state.SkipWithError("bad base");
  for (auto _ : state) {
    for (const std::string& link : links) {
      if (url.Parse(link, &base)) benchmark::DoNotOptimize(url.href().data());
    }
  }
  Count(state, links.size());
}

void BM_Url_Resolve_Relative(benchmark::State& state) { ResolveAll(state, Relative()); }
void BM_Url_Resolve_Absolute(benchmark::State& state) { ResolveAll(state, Absolute()); }
void BM_Url_Resolve_Unusual(benchmark::State& state) { ResolveAll(state, Unusual()); }
BENCHMARK(BM_Url_Resolve_Relative);
BENCHMARK(BM_Url_Resolve_Absolute);
BENCHMARK(BM_Url_Resolve_Unusual);

void BM_Url_Resolve_File(benchmark::State& state) {
  const char* path = std::getenv("CRIVELLO_URLS");
  if (path == nullptr) return state.SkipWithError("no CRIVELLO_URLS");
  std::vector<std::string> links;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) links.push_back(line);
  ResolveAll(state, links);
}
BENCHMARK(BM_Url_Resolve_File);

// Everything that the crawler does to a link: resolve, canonical form, row key.
void BM_Url_LinkToRowKey(benchmark::State& state) {
  Url base, url, canonical;
  if (!base.Parse(kBase)) return state.SkipWithError("bad base");
  std::vector<std::string> links = Relative();
  links.insert(links.end(), Absolute().begin(), Absolute().end());
  std::string key;
  for (auto _ : state) {
    for (const std::string& link : links) {
      key.clear();
      if (url.Parse(link, &base) && Canonicalize(url, &canonical))
        AppendRowKey(canonical, &key).IgnoreError();
      benchmark::DoNotOptimize(key.data());
    }
  }
  Count(state, links.size());
}
BENCHMARK(BM_Url_LinkToRowKey);

void BM_Url_RegistrableDomain(benchmark::State& state) {
  const std::vector<std::string_view> hosts = {"www.example.org", "en.wikipedia.org", "law.di.unimi.it",
                                               "shop.example.co.uk", "a.b.c.github.io"};
  for (auto _ : state) {
    for (const std::string_view host : hosts) {
      benchmark::DoNotOptimize(PublicSuffixList::BuiltIn().RegistrableDomain(host));
    }
  }
  Count(state, hosts.size());
}
BENCHMARK(BM_Url_RegistrableDomain);

}  // namespace
}  // namespace crivello::web
