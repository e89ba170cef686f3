// SPDX-License-Identifier: Apache-2.0
#include "page/imported_document.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/hash.h"
#include "web/http/date_parse.h"
#include "web/http/usage_preferences.h"
#include "web/url/canonical.h"

namespace crivello::page {
namespace {

using simdjson::dom::element;
using simdjson::dom::object;

// Numbers are accepted as ids, in their original notation.
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

Status ReadDate(const object& from, const char* name, std::optional<int64_t>* date) {
  date->reset();
  element value;
  if (from[name].get(value) != simdjson::SUCCESS || value.is_null()) return Status::Ok();
  int64_t seconds = 0;
  if (value.get(seconds) == simdjson::SUCCESS) {
    *date = seconds;
    return Status::Ok();
  }
  std::string_view text;
  if (value.get(text) == simdjson::SUCCESS) *date = web::ParseDate(text);
  if (!*date)
    return Status::InvalidArgument(
        fmt::format("\"{}\" must be a date, such as 2026-05-03 or 2026-05-03T10:00:00Z", name));
  return Status::Ok();
}

Status ReadBlocks(const object& from, std::vector<ImportedBlock>* blocks) {
  blocks->clear();
  element value;
  if (from["blocks"].get(value) != simdjson::SUCCESS || value.is_null()) return Status::Ok();
  const auto wrong = Status::InvalidArgument(
      "\"blocks\" must be a list of objects {\"kind\"?, \"level\"?, \"main\"?, \"text\"}");
  simdjson::dom::array list;
  if (value.get(list) != simdjson::SUCCESS) return wrong;
  for (const element one : list) {
    object block;
    std::string_view text;
    if (one.get(block) != simdjson::SUCCESS || block["text"].get(text) != simdjson::SUCCESS) return wrong;
    ImportedBlock read;
    read.text = text;
    uint64_t number = 0;
    if (block["kind"].get(number) == simdjson::SUCCESS) {
      if (number > store::TextBlock::kMaxKind) return wrong;
      read.kind = static_cast<uint8_t>(number);
    }
    if (block["level"].get(number) == simdjson::SUCCESS) {
      if (number > store::TextBlock::kMaxLevel) return wrong;
      read.level = static_cast<uint8_t>(number);
    }
    bool main = true;
    if (block["main"].get(main) == simdjson::SUCCESS) read.main = main;
    blocks->push_back(std::move(read));
  }
  return Status::Ok();
}

// The id as a URL path that represents it exactly, whatever it contains.
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
  CRV_TRY(ReadText(from, "usage", &document->usage));
  document->usage = web::UsagePreferences::Parse(document->usage).ToString();
  CRV_TRY(ReadDate(from, "date", &document->date));
  CRV_TRY(ReadDate(from, "time", &document->time));
  CRV_TRY(ReadBlocks(from, &document->blocks));
  document->links.clear();
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

bool DocumentLineParser::IsLink(std::string_view line) {
  const auto take = [&line](std::string_view token) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t\r\n"), line.size()));
    if (!line.starts_with(token)) return false;
    line.remove_prefix(token.size());
    return true;
  };
  return take("{") && take("\"from\"") && take(":");
}

Status DocumentLineParser::ParseLink(std::string_view line, ImportedLink* link) {
  element root;
  if (const auto error = state_->parser.parse(line.data(), line.size()).get(root)) {
    return Status::InvalidArgument(fmt::format("invalid JSON: {}", simdjson::error_message(error)));
  }
  object from;
  if (root.get(from) != simdjson::SUCCESS) return Status::InvalidArgument("the line is not a JSON object");
  CRV_TRY(ReadText(from, "from", &state_->url));
  CRV_ASSIGN(const web::Url source, web::CanonicalUrl(state_->url));
  CRV_TRY(ReadText(from, "to", &state_->url));
  CRV_ASSIGN(const web::Url target, web::CanonicalUrl(state_->url));
  link->from = source.href();
  link->link = {};
  link->link.url = target.href();
  CRV_TRY(ReadText(from, "text", &link->link.text));
  CRV_TRY(ReadText(from, "rel", &state_->url));
  link->link.nofollow = state_->url.find("nofollow") != std::string::npos;
  return Status::Ok();
}

}  // namespace crivello::page
