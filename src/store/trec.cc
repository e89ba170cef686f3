// SPDX-License-Identifier: Apache-2.0
#include "store/trec.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.h"

namespace crivello::store {
namespace {

constexpr std::string_view kSpaces = " \t\r\n\f\v";

// The length of the tag `name` ("DOC", "/DOC") at text[at], in any case, with spaces before its ">", or 0.
size_t TagAt(std::string_view text, size_t at, std::string_view name) {
  if (at >= text.size() || text[at] != '<' || !StartsWithIgnoringCase(text.substr(at + 1), name)) return 0;
  constexpr size_t kMaxSpaces = 16;
  size_t end = at + 1 + name.size();
  for (size_t i = 0; i < kMaxSpaces && end < text.size() && text[end] == ' '; i++) end++;
  return end < text.size() && text[end] == '>' ? end + 1 - at : 0;
}

size_t SkipSpaces(std::string_view text, size_t at) {
  return std::min(text.find_first_not_of(kSpaces, at), text.size());
}

std::string_view Trimmed(std::string_view text) {
  text.remove_prefix(SkipSpaces(text, 0));
  return text.substr(0, text.find_last_not_of(kSpaces) + 1);
}

// Whether a document starts here, which ends the one before even if that has no end tag. The number of spaces
// examined is limited, because the same spaces may be examined again.
bool StartsDocument(std::string_view text, size_t at) {
  const size_t tag = TagAt(text, at, "DOC");
  if (tag == 0) return false;
  constexpr size_t kMaxGap = 64;
  const std::string_view rest = text.substr(at + tag, kMaxGap);
  return TagAt(rest, SkipSpaces(rest, 0), "DOCNO") > 0;
}

size_t FindTag(std::string_view text, size_t from, std::string_view name) {
  for (size_t at = text.find('<', from); at != std::string_view::npos; at = text.find('<', at + 1)) {
    if (TagAt(text, at, name) > 0) return at;
  }
  return std::string_view::npos;
}

// Strips the line break at the start of *text, and the same kind at its end.
void TakeLineBreaks(std::string_view* text) {
  const std::string_view line_break = text->starts_with("\r\n") ? "\r\n" : "\n";
  if (text->starts_with(line_break)) text->remove_prefix(line_break.size());
  if (text->ends_with(line_break)) text->remove_suffix(line_break.size());
}

// Takes <NAME>...</NAME>, after white space, off the front of *text; without an end tag, takes the rest of
// the line.
std::optional<std::string_view> TakeElement(std::string_view* text, std::string_view name,
                                            std::string_view end_name) {
  const size_t start = SkipSpaces(*text, 0);
  const size_t tag = TagAt(*text, start, name);
  if (tag == 0) return std::nullopt;
  const std::string_view inner = text->substr(start + tag);
  const size_t line = std::min(inner.find('\n'), inner.size());
  size_t end = FindTag(inner, 0, end_name);
  const size_t end_tag = end == std::string_view::npos ? 0 : TagAt(inner, end, end_name);
  if (end == std::string_view::npos) end = line;
  *text = inner.substr(end + end_tag);
  return inner.substr(0, end);
}

// Where a header without an end tag stops: at an empty line, or a tag at the start of a line.
size_t OpenHeaderEnd(std::string_view text) {
  size_t at = text.find('\n');
  for (; at != std::string_view::npos; at = text.find('\n', at + 1)) {
    const std::string_view rest = text.substr(at + 1);
    if (rest.starts_with('<') || rest.starts_with('\n') || rest.starts_with("\r\n")) return at;
  }
  return text.size();
}

void ReadHeader(std::string_view* text, TrecDocument* document) {
  const size_t start = SkipSpaces(*text, 0);
  const size_t tag = TagAt(*text, start, "DOCHDR");
  if (tag == 0) return;
  document->has_header = true;
  *text = text->substr(start + tag);
  size_t end = FindTag(*text, 0, "/DOCHDR");
  size_t end_tag = 0;
  if (end != std::string_view::npos) {
    end_tag = TagAt(*text, end, "/DOCHDR");
  } else {
    // The line break after <DOCHDR> does not count as an empty line.
    const size_t first = std::min(text->find_first_not_of("\r\n"), text->size());
    end = first + OpenHeaderEnd(text->substr(first));
    document->whole = false;
  }
  std::string_view header = text->substr(0, end);
  text->remove_prefix(end + end_tag);
  TakeLineBreaks(&header);
  const size_t line = std::min(header.find('\n'), header.size());
  document->url_line = Trimmed(header.substr(0, line));
  document->http_head = header.substr(std::min(line + 1, header.size()));
}

std::string Escaped(std::string_view content, bool has_header) {
  const size_t first = has_header ? std::string_view::npos : SkipSpaces(content, 0);
  std::string out;
  for (size_t at = 0; at < content.size(); at++) {
    const bool leads = at == first && TagAt(content, at, "DOCHDR") + TagAt(content, at, "DOCOLDNO") > 0;
    const bool unsafe = leads || TagAt(content, at, "/DOC") > 0 || StartsDocument(content, at);
    out.append(unsafe ? "&lt;" : content.substr(at, 1));
  }
  return out;
}

}  // namespace

std::string_view TrecDocument::url() const { return url_line.substr(0, url_line.find_first_of(" \t")); }

std::optional<TrecDocument> TrecReader::Next() {
  const size_t start = std::min(FindTag(bytes_, at_, "DOC"), bytes_.size());
  for (const char c : bytes_.substr(at_, start - at_))
    stray_bytes_ += kSpaces.find(c) == std::string_view::npos ? 1 : 0;
  at_ = start;
  if (start == bytes_.size()) return std::nullopt;

  TrecDocument document;
  document.offset = start;
  const size_t inner = start + TagAt(bytes_, start, "DOC");
  size_t end = bytes_.find('<', inner);
  while (end != std::string_view::npos && TagAt(bytes_, end, "/DOC") == 0 && !StartsDocument(bytes_, end)) {
    end = bytes_.find('<', end + 1);
  }
  end = std::min(end, bytes_.size());
  const size_t end_tag = TagAt(bytes_, end, "/DOC");
  at_ = end + end_tag;

  std::string_view text = bytes_.substr(inner, end - inner);
  const auto docno = TakeElement(&text, "DOCNO", "/DOCNO");
  document.docno = Trimmed(docno.value_or(""));
  document.whole = end_tag > 0 && !document.docno.empty();
  if (docno) {
    TakeElement(&text, "DOCOLDNO", "/DOCOLDNO");
    ReadHeader(&text, &document);
  }
  TakeLineBreaks(&text);
  document.content = text;
  return document;
}

Status AppendTrec(const TrecDocument& document, TrecUnsafe unsafe, std::string* out) {
  const auto refuse = [&](std::string_view what) {
    return Status::InvalidArgument(fmt::format("trec: document \"{:.80}\": {}", document.docno, what));
  };
  if (document.docno.empty() || document.docno.find_first_of(kSpaces) != std::string_view::npos ||
      document.docno.find('<') != std::string_view::npos) {
    return refuse("cannot write this document number");
  }
  const std::string_view url = document.url_line;
  if (document.has_header ? url.find('\n') != std::string_view::npos || Trimmed(url) != url
                          : !url.empty() || !document.http_head.empty()) {
    return refuse("cannot write this URL");
  }
  std::string text = fmt::format("<DOC>\n<DOCNO>{}</DOCNO>\n", document.docno);
  if (document.has_header) {
    text.append("<DOCHDR>\n").append(url).append("\n").append(document.http_head);
    text.append(document.http_head.empty() ? "</DOCHDR>\n" : "\n</DOCHDR>\n");
  }
  const size_t content_at = text.size();
  text.append(document.content).append("\n</DOC>\n");

  // The question is whether it reads back the same, so try exactly that.
  const auto same = [&](std::string_view content) {
    TrecReader reader(text);
    const auto read = reader.Next();
    return read && !reader.Next() && reader.stray_bytes() == 0 && read->whole &&
           read->docno == document.docno && read->has_header == document.has_header &&
           read->url_line == url && read->http_head == document.http_head && read->content == content;
  };
  if (!same(document.content)) {
    if (unsafe == TrecUnsafe::kRefuse)
      return refuse("cannot write it: tags in the text would end the document early");
    const std::string escaped = Escaped(document.content, document.has_header);
    text.replace(content_at, document.content.size(), escaped);
    if (!same(escaped)) return refuse("cannot write it: tags in the header would end it early");
  }
  out->append(text);
  return Status::Ok();
}

}  // namespace crivello::store
