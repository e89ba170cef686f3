// SPDX-License-Identifier: Apache-2.0
#include "page/trec_answer.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "base/ascii.h"
#include "base/civil_time.h"
#include "base/hash.h"
#include "web/http/date_parse.h"
#include "web/http/decompress.h"

namespace crivello::page {
namespace {

constexpr std::string_view kTrecField = "X-Crawler-Trec";
constexpr std::string_view kPlainHead = "HTTP/1.0 200 OK\nContent-Type: text/html";

std::string EscapedLine(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<uint8_t>(c);
    if (byte <= 0x20 || byte >= 0x7f || c == '%') {
      out += fmt::format("%{:02X}", byte);
    } else {
      out += c;
    }
  }
  return out;
}

std::string UnescapedLine(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); i++) {
    uint8_t byte = 0;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(text.data() + i + 1, text.data() + i + 3, byte, 16).ptr == text.data() + i + 3) {
      out += static_cast<char>(byte);
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

// Takes the text up to a line break off the front.
std::string_view TakeLine(std::string_view* text) {
  const size_t end = text->find('\n');
  const std::string_view line = text->substr(0, end);
  *text = end == std::string_view::npos ? std::string_view() : text->substr(end + 1);
  return line;
}

// Converts "19970101013145" to WARC's format.
std::optional<std::string> DateOfDigits(std::string_view digits) {
  if (digits.size() != 14 || digits.find_first_not_of("0123456789") != std::string_view::npos)
    return std::nullopt;
  const auto number = [&](size_t at, size_t size) {
    int value = 0;
    std::from_chars(digits.data() + at, digits.data() + at + size, value);
    return value;
  };
  const auto seconds = SecondsFromCivil({.year = number(0, 4),
                                         .month = number(4, 2),
                                         .day = number(6, 2),
                                         .hour = number(8, 2),
                                         .minute = number(10, 2),
                                         .second = number(12, 2)});
  if (!seconds) return std::nullopt;
  return FormatRfc3339(*seconds);
}

bool IsAddress(std::string_view word) {
  return !word.empty() && word.find_first_not_of("0123456789abcdefABCDEF.:") == std::string_view::npos &&
         word.find_first_of(".:") != std::string_view::npos;
}

// What an imported response keeps: number, then header.
std::optional<std::string> KeptOf(const web::HttpResponse& http) {
  const auto field = http.fields.Find(kTrecField);
  if (!field) return std::nullopt;
  return UnescapedLine(*field);
}

bool IsNumber(std::string_view docno) {
  return !docno.empty() && docno.find_first_of(" \t\r\n\f\v<") == std::string_view::npos;
}

}  // namespace

Result<TrecAnswer> AnswerOfTrec(const store::TrecDocument& document) {
  if (!document.has_header) return Status::InvalidArgument("a document without <DOCHDR> has no URL");
  TrecAnswer answer = {.url = std::string(document.url())};
  // In WT10g, address, date, type and length follow.
  std::string_view words = document.url_line.substr(document.url().size());
  for (int word = 0; word < 2; word++) {
    words = TrimAsciiSpace(words);
    const std::string_view one = words.substr(0, words.find_first_of(" \t"));
    words.remove_prefix(one.size());
    if (const auto date = DateOfDigits(one)) {
      answer.date = *date;
    } else if (IsAddress(one)) {
      answer.ip = one;
    }
  }
  std::string_view head = document.http_head;
  const std::string_view line_break = head.find("\r\n") == std::string_view::npos ? "\n" : "\r\n";
  while (head.ends_with('\n') || head.ends_with('\r')) head.remove_suffix(1);
  if (!StartsWithIgnoringCase(head, "HTTP/")) head = kPlainHead;
  if (answer.date.empty()) {
    const std::string whole = std::string(head) + "\n\n";
    const web::HttpResponse http = web::ParseHttpResponse(whole);
    const auto date = http.fields.Find("date");
    const auto seconds = date ? web::ParseDate(*date) : std::nullopt;
    if (seconds) answer.date = FormatRfc3339(*seconds);
  }
  const std::string kept = fmt::format("{}\n{}\n{}", document.docno, document.url_line, document.http_head);
  answer.block =
      fmt::format("{}{}{}: {}{}{}", head, line_break, kTrecField, EscapedLine(kept), line_break, line_break);
  answer.block += document.content;
  return answer;
}

std::string TrecNumberOf(const web::HttpResponse& http) {
  const auto kept = KeptOf(http);
  if (!kept) return "";
  std::string_view rest = *kept;
  const std::string_view docno = TakeLine(&rest);
  return IsNumber(docno) ? std::string(docno) : "";
}

std::string TrecNumber(const TrecPage& page) {
  const std::string kept = TrecNumberOf(web::ParseHttpResponse(page.block));
  if (!kept.empty()) return kept;
  return IsNumber(page.docno) ? std::string(page.docno) : "CRV-" + fmt::format("{:016x}", Hash64(page.url));
}

Status AppendTrecPage(const TrecPage& page, std::string* out) {
  const web::HttpResponse http = web::ParseHttpResponse(page.block);
  const std::string docno = TrecNumber(page);
  store::TrecDocument document = {.docno = docno, .has_header = true};
  if (const auto kept = KeptOf(http)) {
    std::string_view rest = *kept;
    TakeLine(&rest);
    document.url_line = TakeLine(&rest);
    document.http_head = rest;
    document.content = http.body;
    return store::AppendTrec(document, store::TrecUnsafe::kEscape, out);
  }
  const web::DecodedContent body = web::DecodeContent(http.body, http.fields.Joined("content-encoding"));
  const CivilTime time = CivilFromSeconds(page.time);
  std::string_view type = http.fields.Find("content-type").value_or("text/html");
  type = TrimAsciiSpace(type.substr(0, type.find(';')));
  const std::string line =
      fmt::format("{} 0.0.0.0 {:04}{:02}{:02}{:02}{:02}{:02} {} {}", page.url, time.year, time.month,
                  time.day, time.hour, time.minute, time.second, type, body.body().size());
  // The head as received, without the fields about the body's coding.
  std::string head;
  std::string_view lines = page.block.substr(0, http.head_bytes);
  while (!lines.empty()) {
    std::string_view one = TakeLine(&lines);
    if (one.ends_with('\r')) one.remove_suffix(1);
    if (one.empty() || StartsWithIgnoringCase(one, "Content-Encoding:")) continue;
    if (!head.empty()) head += '\n';
    head += one;
  }
  document.url_line = line;
  document.http_head = head;
  document.content = body.body();
  return store::AppendTrec(document, store::TrecUnsafe::kEscape, out);
}

}  // namespace crivello::page
