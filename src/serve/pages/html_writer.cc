// SPDX-License-Identifier: Apache-2.0
#include "serve/pages/html_writer.h"

#include <cassert>
#include <utility>

#include "base/ascii.h"
#include "charset/escape.h"

namespace crivello::serve {

bool IsSafeTarget(std::string_view target) {
  if (target.starts_with("#") || target.starts_with("?")) return true;
  // "//host" and "/\host" are other sites.
  if (target.starts_with("/")) return target.size() == 1 || (target[1] != '/' && target[1] != '\\');
  return StartsWithIgnoringCase(target, "http://") || StartsWithIgnoringCase(target, "https://");
}

HtmlWriter HtmlWriter::Html5() {
  HtmlWriter writer;
  writer.out_ = "<!DOCTYPE html>\n";
  return writer;
}

void HtmlWriter::Start(MarkupName name, MarkupAttributes attributes) {
  out_ += '<';
  out_ += name.text();
  for (const MarkupAttribute& attribute : attributes) {
    const std::string_view key = attribute.name.text();
    const bool leads = key == "href" || key == "src" || key == "action";
    if (!attribute.present || (leads && !IsSafeTarget(attribute.value))) continue;
    out_ += ' ';
    out_ += key;
    out_ += "=\"";
    charset::AppendHtml(attribute.value, &out_);
    out_ += '"';
  }
}

void HtmlWriter::Open(MarkupName name, MarkupAttributes attributes) {
  Start(name, attributes);
  out_ += '>';
  open_.push_back(name.text());
}

void HtmlWriter::Text(std::string_view text) { charset::AppendHtml(text, &out_); }

void HtmlWriter::Close() {
  assert(!open_.empty());
  out_ += "</";
  out_ += open_.back();
  out_ += '>';
  open_.pop_back();
}

void HtmlWriter::Element(MarkupName name, MarkupAttributes attributes, std::string_view text) {
  Open(name, attributes);
  Text(text);
  Close();
}

void HtmlWriter::Void(MarkupName name, MarkupAttributes attributes) {
  Start(name, attributes);
  out_ += '>';
}

std::string HtmlWriter::Finish() && {
  while (!open_.empty()) Close();
  out_ += '\n';
  return std::move(out_);
}

}  // namespace crivello::serve
