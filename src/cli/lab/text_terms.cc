// SPDX-License-Identifier: Apache-2.0
#include "cli/lab/text_terms.h"

#include "cli/output.h"
#include "text/formats/convert.h"
#include "text/terms/analyser.h"
#include "text/terms/language.h"

namespace crivello::cli {
namespace {

Result<int> PrintDocument(const Session& session, text::Format format, const text::Document& document) {
  const std::string text = document.MainText();
  if (!session.json) {
    session.out->Print("{}\n", Printable(document.title));
    for (const text::Block& block : document.blocks) {
      session.out->Print("\n");
      for (std::string_view rest = block.text; !rest.empty();) {
        const size_t end = std::min(rest.find('\n'), rest.size());
        session.out->Print("{}\n", Printable(rest.substr(0, end)));
        rest.remove_prefix(std::min(end + 1, rest.size()));
      }
    }
    return kDone;
  }
  Json links = Json::array();
  for (const text::DocumentLink& link : document.links)
    links.push_back({{"url", link.href}, {"text", link.text}});
  Json published;
  if (document.published) published = *document.published;
  Json json = {{"title", document.title},
               {"text", text},
               {"author", document.author},
               {"published", std::move(published)},
               {"format", text::FormatName(format)},
               {"links", std::move(links)}};
  AddLanguage(text, document.language, &json);
  PrintJson(session, json);
  return kDone;
}

}  // namespace

Result<int> PrintTerms(const Session& session, std::string_view text, std::string_view declared_language,
                       const TermsOptions& options) {
  CRV_ASSIGN(text::Analyser analyser, text::Analyser::Create(options.analyser));
  const text::LanguageGuess language = text::DetectLanguage(text, {.declared = declared_language});
  Json terms = Json::array();
  if (!session.json)
    session.out->Print("{:>8} {:>8} {:>8} {:<9} {}\n", "position", "begin", "end", "kind", "term");
  analyser.ForEachTerm(text, {.language = language.code}, [&](const text::Term& term) {
    if (session.json) {
      terms.push_back({{"term", term.text},
                       {"position", term.position},
                       {"begin", term.begin},
                       {"end", term.end},
                       {"kind", text::TermKindName(term.kind)}});
    } else {
      session.out->Print("{:>8} {:>8} {:>8} {:<9} {}\n", term.position, term.begin, term.end,
                         text::TermKindName(term.kind), Printable(term.text));
    }
  });
  if (session.json) {
    Json json = {
        {"analyser", analyser.description().ToString()}, {"text", text}, {"terms", std::move(terms)}};
    AddLanguage(text, declared_language, &json);
    PrintJson(session, json);
  }
  return kDone;
}

void AddLanguage(std::string_view text, std::string_view declared_language, Json* json) {
  const text::LanguageGuess guess = text::DetectLanguage(text, {.declared = declared_language});
  (*json)["language"] = guess.code.empty() ? Json() : Json(guess.code);
  (*json)["language_confidence"] = guess.confidence;
  (*json)["language_source"] = text::LanguageSourceName(guess.source);
}

std::optional<Result<int>> PrintOtherFormat(const Session& session, std::string_view bytes,
                                            std::string_view name, const TermsOptions& options,
                                            const CopiesOptions& copies) {
  const text::Format format = text::SniffFormat(bytes, {}, name);
  const bool says_text = name.ends_with(".txt") || name.ends_with(".text");
  if (format == text::Format::kHtml || (format == text::Format::kPlainText && !says_text)) return {};
  auto document = text::ConvertDocument(bytes, {.name = name});
  if (!document.ok()) {  // bad data, not wrong usage
    return Result<int>(Status::Corruption(std::string(document.status().message())).WithContext(name));
  }
  if (options.terms) return PrintTerms(session, document->MainText(), document->language, options);
  if (copies.any()) return PrintCopies(session, document->MainText(), copies);
  return PrintDocument(session, format, *document);
}

}  // namespace crivello::cli
