// SPDX-License-Identifier: Apache-2.0
// Throughput on feeds and their parts, in bytes per second. The synthetic feed resembles a blog's: escaped
// HTML in content:encoded, 50 items of about 2 KB. memchr for each '<' is the upper bound for any reader.
#include <benchmark/benchmark.h>

#include <cstring>
#include <string>

#include "web/feed/feed.h"
#include "web/feed/xml_scanner.h"
#include "web/http/date_parse.h"

namespace crivello::web {
namespace {

std::string Paragraphs(bool cdata) {
  std::string text;
  for (int i = 0; i < 8; i++) {
    text +=
        cdata
            ? "<p>A paragraph with a <a href=\"http://example.org/x?a=1&amp;b=2\">link</a> &amp; some more "
              "text that goes on "
              "for a while, as they do, until it has said what it has to say in the number of words given to "
              "it.</p>\n"
            : "&lt;p&gt;A paragraph with a &lt;a "
              "href=\"http://example.org/x?a=1&amp;amp;b=2\"&gt;link&lt;/a&gt; and some more "
              "text that goes on for a while, as they do, until it has said what it has to say.&lt;/p&gt;\n";
  }
  return text;
}

std::string RssFeed(bool cdata) {
  const std::string content = cdata ? "<![CDATA[" + Paragraphs(true) + "]]>" : Paragraphs(false);
  std::string feed =
      "<?xml version=\"1.0\"?><rss version=\"2.0\" "
      "xmlns:content=\"http://purl.org/rss/1.0/modules/content/\" "
      "xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><channel><title>T</title><link>http://example.org/</"
      "link>\n";
  for (int i = 0; i < 50; i++) {
    const std::string n = std::to_string(i);
    feed += "<item><title>Title " + n + " &amp;c</title><link>http://example.org/post/" + n +
            "</link><guid>http://example.org/post/" + n +
            "</guid><pubDate>Mon, 05 Jan 2004 10:20:30 "
            "+0000</pubDate><dc:creator>Ann</dc:creator><category>a</category>"
            "<description>Short &lt;b&gt;text&lt;/b&gt;</description><content:encoded>" +
            content + "</content:encoded></item>\n";
  }
  return feed + "</channel></rss>";
}

std::string JsonFeed() {
  std::string feed = "{\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":\"T\",\"items\":[";
  std::string content;
  for (const char c : Paragraphs(true)) {
    if (c == '"' || c == '\\') content += '\\';
    content += c == '\n' ? ' ' : c;
  }
  for (int i = 0; i < 50; i++) {
    const std::string n = std::to_string(i);
    feed += std::string(i == 0 ? "" : ",") + "{\"id\":\"" + n + "\",\"url\":\"http://example.org/" + n +
            "\",\"date_published\":\"2004-01-05T10:20:30Z\",\"content_html\":\"" + content + "\"}";
  }
  return feed + "]}";
}

void SetBytes(benchmark::State& state, size_t bytes) {
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) * static_cast<int64_t>(bytes));
}

void Parse(benchmark::State& state, const std::string& text) {
  for (auto _ : state) {
    auto feed = ParseFeed(text);
    if (!feed.ok() || feed->items.size() != 50) state.SkipWithError("not read");
    benchmark::DoNotOptimize(feed);
  }
  SetBytes(state, text.size());
}

void BM_Feed_RssEscaped(benchmark::State& state) { Parse(state, RssFeed(false)); }
void BM_Feed_RssCdata(benchmark::State& state) { Parse(state, RssFeed(true)); }
void BM_Feed_Json(benchmark::State& state) { Parse(state, JsonFeed()); }
BENCHMARK(BM_Feed_RssEscaped);
BENCHMARK(BM_Feed_RssCdata);
BENCHMARK(BM_Feed_Json);

void BM_Feed_ScannerAlone(benchmark::State& state) {
  const std::string text = RssFeed(false);
  for (auto _ : state) {
    XmlScanner scanner(text);
    size_t events = 0;
    while (scanner.Next() != XmlScanner::Event::kDone) events++;
    benchmark::DoNotOptimize(events);
  }
  SetBytes(state, text.size());
}
BENCHMARK(BM_Feed_ScannerAlone);

void BM_Feed_MemchrAlone(benchmark::State& state) {
  const std::string text = RssFeed(false);
  for (auto _ : state) {
    size_t found = 0;
    for (const char* at = text.data();
         (at = static_cast<const char*>(
              std::memchr(at, '<', static_cast<size_t>(text.data() + text.size() - at)))) != nullptr;
         at++) {
      found++;
    }
    benchmark::DoNotOptimize(found);
  }
  SetBytes(state, text.size());
}
BENCHMARK(BM_Feed_MemchrAlone);

void BM_MarkupToText(benchmark::State& state) {
  const std::string text = Paragraphs(true);
  for (auto _ : state) {
    auto plain = MarkupToText(text);
    benchmark::DoNotOptimize(plain);
  }
  SetBytes(state, text.size());
}
BENCHMARK(BM_MarkupToText);

void BM_ParseDate(benchmark::State& state, const char* text) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(text);
    benchmark::DoNotOptimize(ParseDate(text));
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations()));
}
BENCHMARK_CAPTURE(BM_ParseDate, iso, "2004-01-05T10:20:30Z");
BENCHMARK_CAPTURE(BM_ParseDate, rfc822, "Mon, 05 Jan 2004 10:20:30 +0000");

}  // namespace
}  // namespace crivello::web
