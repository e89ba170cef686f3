// SPDX-License-Identifier: Apache-2.0
// Throughput on sitemaps, in bytes and entries per second: a full one of 50,000 addresses with all fields,
// one with only addresses, one of text.
#include <benchmark/benchmark.h>

#include <string>

#include "web/feed/sitemap.h"

namespace crivello::web {
namespace {

constexpr int kEntries = 50'000;

std::string Sitemap(bool all_fields) {
  std::string text =
      "<?xml version=\"1.0\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n";
  for (int i = 0; i < kEntries; i++) {
    text += "  <url>\n    <loc>https://www.example.org/shop/catalog?item=" + std::to_string(i) +
            "&amp;view=full</loc>\n";
    if (all_fields) {
      text +=
          "    <lastmod>2004-01-05T10:20:30+00:00</lastmod>\n    <changefreq>weekly</changefreq>\n    "
          "<priority>0.8</priority>\n";
    }
    text += "  </url>\n";
  }
  return text + "</urlset>\n";
}

std::string TextSitemap() {
  std::string text;
  for (int i = 0; i < kEntries; i++)
    text += "https://www.example.org/shop/catalog?item=" + std::to_string(i) + "&view=full\n";
  return text;
}

void Read(benchmark::State& state, const std::string& text) {
  for (auto _ : state) {
    size_t bytes = 0;
    const auto summary = ReadSitemap(text, {}, [&](const SitemapEntry& entry) { bytes += entry.loc.size(); });
    if (!summary.ok() || summary->entries != kEntries) state.SkipWithError("not read");
    benchmark::DoNotOptimize(bytes);
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) * static_cast<int64_t>(text.size()));
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) * kEntries);
}

void BM_Sitemap_AllFields(benchmark::State& state) { Read(state, Sitemap(true)); }
void BM_Sitemap_AddressesAlone(benchmark::State& state) { Read(state, Sitemap(false)); }
void BM_Sitemap_Text(benchmark::State& state) { Read(state, TextSitemap()); }
BENCHMARK(BM_Sitemap_AllFields)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_Sitemap_AddressesAlone)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_Sitemap_Text)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace crivello::web
