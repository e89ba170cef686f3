// SPDX-License-Identifier: Apache-2.0
#include "serve/api/result_formats.h"

#include <fmt/format.h>

#include "base/civil_time.h"
#include "charset/escape.h"
#include "web/http/http_date.h"

namespace crivello::serve {
namespace {

// The date of a page: as the page says, else when it was fetched; 0 if unknown.
int64_t DateOf(const search::SearchResult& result) {
  return result.date_seconds != 0 ? result.date_seconds : result.time_seconds;
}

}  // namespace

using charset::CsvCell;
using charset::XmlEscaped;

std::string ResultsCsv(const search::SearchAnswer& answer, size_t offset) {
  std::string csv = "rank,url,title,score,language,type,time,snippet\r\n";
  uint64_t rank = offset;
  for (const search::SearchResult& result : answer.results) {
    csv += fmt::format("{},{},{},{},{},{},{},{}\r\n", ++rank, CsvCell(result.url), CsvCell(result.title.text),
                       result.score, CsvCell(result.language), CsvCell(result.type),
                       result.time_seconds == 0 ? "" : FormatRfc3339(result.time_seconds),
                       CsvCell(result.snippet.text));
  }
  return csv;
}

std::string ResultsRss(const search::SearchAnswer& answer, size_t offset, const FeedLinks& links) {
  std::string rss = fmt::format(
      R"(<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>{0} - Crivello</title>
<link>{1}</link>
<description>Results for {0}</description>
<atom:link rel="self" type="application/rss+xml" href="{2}"/>
<opensearch:totalResults>{3}</opensearch:totalResults>
<opensearch:startIndex>{4}</opensearch:startIndex>
<opensearch:itemsPerPage>{5}</opensearch:itemsPerPage>
)",
      XmlEscaped(answer.query), XmlEscaped(links.base), XmlEscaped(links.self), answer.total, offset + 1,
      answer.results.size());
  for (const search::SearchResult& result : answer.results) {
    const std::string& title = result.title.text.empty() ? result.url : result.title.text;
    rss += fmt::format(
        "<item>\n<title>{}</title>\n<link>{}</link>\n<guid "
        "isPermaLink=\"true\">{}</guid>\n<description>{}</description>\n",
        XmlEscaped(title), XmlEscaped(result.url), XmlEscaped(result.url), XmlEscaped(result.snippet.text));
    if (DateOf(result) != 0) {
      rss += fmt::format("<pubDate>{}</pubDate>\n", web::FormatHttpDate(DateOf(result)));
    }
    rss += "</item>\n";
  }
  return rss + "</channel>\n</rss>\n";
}

std::string OpenSearchDescription(const std::string& base) {
  return fmt::format(
      R"(<?xml version="1.0" encoding="utf-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>Crivello</ShortName>
<Description>Search with Crivello</Description>
<InputEncoding>UTF-8</InputEncoding>
<Url type="text/html" method="get" template="{0}?q={{searchTerms}}"/>
<Url type="application/json" method="get" template="{0}api/v1/search?q={{searchTerms}}&amp;n={{count?}}&amp;offset={{startIndex?}}"/>
<Url type="application/rss+xml" method="get" template="{0}api/v1/search?q={{searchTerms}}&amp;format=rss"/>
<Url type="application/x-suggestions+json" method="get" template="{0}suggest?q={{searchTerms}}"/>
</OpenSearchDescription>
)",
      XmlEscaped(base));
}

}  // namespace crivello::serve
