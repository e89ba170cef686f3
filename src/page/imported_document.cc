// SPDX-License-Identifier: Apache-2.0
#include "page/imported_document.h"

#include <fmt/format.h>
#include <simdjson.h>

#include "base/ascii.h"
#include "base/hash.h"
#include "web/http/date_parse.h"
#include "web/url/canonical.h"

namespace crivello::page {
namespace {

using simdjson::dom::element;
using simdjson::dom::object;

// Numbers are taken for ids as they are written.
Status ReadText(const object& from, const char* name, std::string* to) {
  to->clear();
  element value;
  if (from[name].get(value) != simdjson::SUCCESS || value.is_null()) return Status::Ok();
  std::string_view text;
  if (value.get(text) == simdjson::SUCCESS) {
    *to = text;
    return Status::Ok();
  }
  if (value.is_number()) {
    *to = simdjson::minify(value);
    return Status::Ok();
  }
  return Status::InvalidArgument(fmt::format("\"{}\" must be a string", name));
}

Status ReadDate(const object& from, std::optional<int64_t>* date) {
  date->reset();
  element value;
  if (from["date"].get(value) != simdjson::SUCCESS || value.is_null()) return Status::Ok();
  int64_t seconds = 0;
  if (value.get(seconds) == simdjson::SUCCESS) {
    *date = seconds;
    return Status::Ok();
  }
  std::string_view text;
  if (value.get(text) == simdjson::SUCCESS) *date = web::ParseDate(text);
  if (!*date)
    return Status::InvalidArgument("\"date\" must be a date, such as 2026-05-03 or 2026-05-03T10:00:00Z");
  return Status::Ok();
}

// The id as a path that says it again, whatever is in it.
std::string PathOfId(std::string_view id) {
  std::string path;
  for (const char c : id) {
    if (IsAsciiAlnum(c) || c == '-' || c == '_' || (c == '.' && id != "." && id != "..")) {
      path += c;
    } else {
      path += fmt::format("%{:02X}", static_cast<uint8_t>(c));
    }
  }
  return path;
}

}  // namespace

struct DocumentLineParser::State {
  simdjson::dom::parser parser;
  std::string url;
};

DocumentLineParser::DocumentLineParser() : state_(std::make_unique<State>()) {}
DocumentLineParser::~DocumentLineParser() = default;

Status DocumentLineParser::Parse(std::string_view line, ImportedDocument* document) {
  element root;
  if (const auto error = state_->parser.parse(line.data(), line.size()).get(root)) {
    return Status::InvalidArgument(fmt::format("invalid JSON: {}", simdjson::error_message(error)));
  }
  object from;
  if (root.get(from) != simdjson::SUCCESS) return Status::InvalidArgument("the line is not a JSON object");
  element html, text;
  document->is_html = from["html"].get(html) == simdjson::SUCCESS;
  if (!document->is_html && from["text"].get(text) != simdjson::SUCCESS) {
    return Status::InvalidArgument("neither \"text\" nor \"html\"");
  }
  CRV_TRY(ReadText(from, "id", &document->id));
  CRV_TRY(ReadText(from, "title", &document->title));
  CRV_TRY(ReadText(from, "text", &document->text));
  CRV_TRY(ReadText(from, "html", &document->html));
  CRV_TRY(ReadText(from, "language", &document->language));
  CRV_TRY(ReadDate(from, &document->date));
  CRV_TRY(ReadText(from, "url", &state_->url));
  if (state_->url.empty()) {
    const uint64_t hash =
        Hash64(document->is_html ? document->html : document->text, Hash64(document->title));
    state_->url = fmt::format("https://{}/{}", kImportHost,
                              document->id.empty() ? fmt::format("{:016x}", hash) : PathOfId(document->id));
  }
  CRV_ASSIGN(const web::Url url, web::CanonicalUrl(state_->url));
  document->url = url.href();
  return Status::Ok();
}

}  // namespace crivello::page
