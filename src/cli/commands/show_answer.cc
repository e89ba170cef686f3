// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/show_answer.h"

#include <fmt/format.h>

#include <cstdlib>

#include "base/civil_time.h"
#include "cli/json.h"
#include "cli/output.h"
#include "serve/api/answer_json.h"

namespace crivello::cli {
namespace {

// Escape sequences of a terminal; empty if the output is not a terminal.
struct Colours {
  explicit Colours(const Writer& out) {
    if (!out.is_terminal() || std::getenv("NO_COLOR") != nullptr) return;
    title = "\033[1;34m";
    url = "\033[32m";
    match = "\033[1m";
    faint = "\033[2m";
    end = "\033[0m";
  }
  const char* title = "";
  const char* url = "";
  const char* match = "";
  const char* faint = "";
  const char* end = "";
};

// One line, with its highlights between two escape sequences.
std::string Highlighted(const search::HighlightedText& text, const Colours& colours, const char* base) {
  std::string out = base;
  size_t at = 0;
  const std::string_view all = text.text;
  for (const search::Highlight& highlight : text.highlights) {
    out += Printable(all.substr(at, highlight.begin - at));
    out += colours.match;
    out += Printable(all.substr(highlight.begin, highlight.end - highlight.begin));
    out += colours.end;
    out += base;
    at = highlight.end;
  }
  out += Printable(all.substr(at));
  out += *base == '\0' ? "" : colours.end;
  return out;
}

void PrintExplanation(const Session& session, const search::Explanation& explanation, int indent) {
  session.out->Print("{:>{}}{:.6g}  {}{}\n", "", indent, explanation.value, Printable(explanation.what),
                     explanation.how.empty() ? "" : Printable(": " + explanation.how));
  for (const auto& part : explanation.parts) PrintExplanation(session, part, indent + 3);
}

void PrintAnswer(const Session& session, const search::SearchAnswer& answer,
                 const search::SearchRequest& request) {
  const Colours colours(*session.out);
  for (const std::string& note : answer.notes) session.err->Print("note: {}\n", Printable(note));
  if (answer.partial) session.err->Print("note: the answer is partial because the time limit was reached\n");
  if (!answer.did_you_mean.empty()) {
    session.out->Print("did you mean: {}{}{}\n", colours.match, Printable(answer.did_you_mean), colours.end);
  }
  if (answer.results.empty()) {
    session.out->Print("nothing found for {}\n", Printable(answer.query));
    return;
  }
  session.out->Print(
      "{}{}{}{}{}\n", colours.faint, answer.total_kind == search::TotalKind::kExact ? "" : "about ",
      Counted(answer.total, "matching page", "matching pages"),
      answer.folded == 0 ? "" : fmt::format(", {} of them hidden as copies or translations", answer.folded),
      colours.end);
  for (const search::Facet& facet : answer.facets) {
    session.out->Print("{}{}:", colours.faint, facet.name);
    for (const search::FacetValue& value : facet.values) {
      session.out->Print("  {} {}{}", Printable(value.value), facet.about ? "about " : "", value.pages);
    }
    session.out->Print("{}\n", colours.end);
  }
  uint64_t rank = request.offset;
  for (const search::SearchResult& result : answer.results) {
    const bool untitled = result.title.text.empty();
    session.out->Print("\n{:>3}. {}\n     {}{}{}", ++rank,
                       untitled ? Printable(result.url) : Highlighted(result.title, colours, colours.title),
                       colours.url, Printable(result.url), colours.end);
    std::string about = fmt::format("{:.4f}", result.score);
    if (!result.language.empty()) about += "  " + result.language;
    const int64_t date = result.date_seconds != 0 ? result.date_seconds : result.time_seconds;
    if (date != 0) about += "  " + FormatRfc3339(date).substr(0, 10);
    session.out->Print("  {}{}{}\n", colours.faint, about, colours.end);
    if (!result.snippet.text.empty()) {
      session.out->Print("     {}\n", Highlighted(result.snippet, colours, ""));
    }
    if (!result.missing.empty()) {
      session.out->Print("     {}missing: {}{}\n", colours.faint,
                         Printable(fmt::format("{}", fmt::join(result.missing, ", "))), colours.end);
    }
    for (const search::Translation& other : result.translations) {
      session.out->Print("     {}in {}: {}{}\n", colours.faint, Printable(other.language),
                         Printable(other.url), colours.end);
    }
    for (const std::string& url : result.duplicates) {
      session.out->Print("     {}the same: {}{}\n", colours.faint, Printable(url), colours.end);
    }
    if (result.more_from_site > 0) {
      session.out->Print("     {}{} more from {}{}\n", colours.faint, result.more_from_site,
                         Printable(result.site), colours.end);
    }
    if (result.explanation) PrintExplanation(session, *result.explanation, 5);
  }
}

}  // namespace

int ShowAnswer(const Session& session, const search::SearchAnswer& answer,
               const search::SearchRequest& request) {
  if (session.json) {
    PrintJson(session, serve::AnswerJson(answer, request.offset));
  } else {
    PrintAnswer(session, answer, request);
  }
  return answer.results.empty() ? kNothingFound : kDone;
}

}  // namespace crivello::cli
