// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <map>
#include <set>

#include "cli/app.h"
#include "cli/commands/collection.h"
#include "cli/json.h"
#include "cli/output.h"
#include "index/segments/snapshot.h"

namespace crivello::cli {
namespace {

struct TermsFlags {
  std::string prefix;
  std::string field = "body";
  uint64_t count = 50;
};

struct Statistics {
  uint64_t documents = 0;
  uint64_t occurrences = 0;
};

// The first terms with the prefix over all segments: this many of each segment suffice to know those of all.
Result<std::map<std::string, Statistics>> Gather(const index::Snapshot& snapshot, const TermsFlags& options) {
  std::map<std::string, Statistics> terms;
  std::set<std::string> fields;
  for (const index::SegmentView& view : snapshot.segments()) {
    for (const index::FieldView& field : view.segment->fields()) fields.insert(std::string(field.name));
  }
  if (!fields.empty() && !fields.contains(options.field)) {
    return Status::InvalidArgument(fmt::format("--field {}: the index has no such field; it has {}",
                                               options.field, fmt::join(fields, ", ")));
  }
  for (const index::SegmentView& view : snapshot.segments()) {
    const index::FieldView* const field = view.segment->field(options.field);
    if (field == nullptr) continue;
    uint64_t seen = 0;
    for (auto cursor = field->terms.Seek(options.prefix);
         cursor.valid() && cursor.term().starts_with(options.prefix) && seen < options.count;
         cursor.Next(), seen++) {
      CRV_ASSIGN(const index::PostingCursor list, field->Open(cursor.entry()));
      Statistics& statistics = terms[std::string(cursor.term())];
      statistics.documents += list.frequency();
      statistics.occurrences += list.occurrences();
    }
  }
  while (terms.size() > options.count) terms.erase(std::prev(terms.end()));
  return terms;
}

Result<int> RunTerms(const Session& session, const TermsFlags& options) {
  CRV_ASSIGN(const auto snapshot, OpenSnapshot(session));
  CRV_ASSIGN(const auto terms, Gather(*snapshot, options));
  Table table({{"term"}, {"documents", true}, {"occurrences", true}});
  for (const auto& [term, statistics] : terms) {
    if (session.json) {
      PrintJson(
          session,
          {{"term", term}, {"documents", statistics.documents}, {"occurrences", statistics.occurrences}});
    } else {
      table.Row({Printable(term), Grouped(statistics.documents), Grouped(statistics.occurrences)});
    }
  }
  if (!session.json && !terms.empty()) session.out->Print("{}", table.ToString());
  return terms.empty() ? kNothingFound : kDone;
}

}  // namespace

void AddTermsCommand(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("terms", "List the terms of the index that start with a prefix");
  auto options = std::make_shared<TermsFlags>();
  command->add_option("PREFIX", options->prefix, "Start of the terms (default: all terms)");
  command->add_option("--field", options->field, "Field to list")->capture_default_str();
  command->add_option("-n,--count", options->count, "Maximum number of results")
      ->transform(Positive())
      ->capture_default_str();
  command->footer(
      "Deleted documents are counted until their segment is merged.\n"
      "\n"
      "Examples:\n"
      "  crivello terms sear\n"
      "  crivello terms --field site -n 1000");
  Runs(*command, session, [&session, options] { return RunTerms(session, *options); });
}

}  // namespace crivello::cli
