// SPDX-License-Identifier: Apache-2.0
#include "index/segments/index_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "index/ranks/rank_pages.h"
#include "index/segments/snapshot.h"

namespace crivello::index {
namespace {

// Reads a list; adds its totals to `sums`.
Status CheckList(const FieldView& field, const TermEntry& term, DocId documents, FieldInfo* sums) {
  CRV_ASSIGN(PostingCursor list, field.Open(term));
  const uint64_t frequency = list.frequency();
  const uint64_t occurrences = list.occurrences();
  uint64_t postings = 0;
  uint64_t counted = 0;
  for (; list.doc() != kEndDoc; list.Next()) {
    if (list.doc() >= documents) return Status::Corruption(fmt::format("document {}", list.doc()));
    postings++;
    if (field.lists.contents == PostingContents::kDocuments) continue;
    counted += list.count();
    if (field.lists.contents == PostingContents::kCounts) continue;
    const auto positions = list.positions();
    if (positions.size() != list.count() || positions.back() >= field.lists.lengths[list.doc()])
      return Status::Corruption(fmt::format("positions in document {}", list.doc()));
  }
  if (!list.ok()) return Status::Corruption("unreadable block");
  if (postings == 0 || postings != frequency || counted != occurrences) {
    return Status::Corruption(fmt::format("found {} postings and {} occurrences, expected {} and {}",
                                          postings, counted, frequency, occurrences));
  }
  sums->postings += postings;
  sums->occurrences += counted;
  return Status::Ok();
}

Status CheckField(const FieldView& field, const FieldInfo& said, DocId documents) {
  FieldInfo sums;
  sums.name = said.name;
  sums.contents = said.contents;
  sums.inline_positions = said.inline_positions;  // depends on the layout, which cursors do not show
  std::string last;
  for (TermCursor term = field.terms.Begin(); term.valid(); term.Next()) {
    if (sums.terms > 0 && term.term() <= last)
      return Status::Corruption(fmt::format("term {} is out of order", term.rank()));
    if (field.terms.Find(term.term()) != term.entry())
      return Status::Corruption(fmt::format("term {} is not found", term.rank()));
    const Status list = CheckList(field, term.entry(), documents, &sums);
    if (!list.ok()) return list.WithContext(fmt::format("the list of term {}", term.rank()));
    last = term.term();
    sums.terms++;
  }
  for (const uint32_t length : field.lists.lengths) {
    sums.tokens += length;
    sums.documents += length > 0 ? 1 : 0;
    sums.max_length = std::max(sums.max_length, length);
  }
  return sums == said ? Status::Ok() : Status::Corruption("its totals differ from its description");
}

Status CheckDocuments(const Segment& segment) {
  const NumberColumn* keys = segment.values().numbers(column::kKey);
  TextReader texts(segment.texts());
  for (DocId doc = 0; doc < segment.documents(); doc++) {
    CRV_ASSIGN(const StoredDocument stored, texts.Get(doc));
    if (keys != nullptr && (*keys)[doc] != UrlKey(stored.url))
      return Status::Corruption(fmt::format("document {} has the key of another URL", doc));
  }
  for (const auto& [name, column] : segment.values().all_strings()) {
    for (DocId doc = 0; doc < segment.documents(); doc++) {
      if (column.NumberOf(doc) >= column.strings())
        return Status::Corruption(fmt::format("document {} has no value of {}", doc, name));
    }
  }
  return Status::Ok();
}

}  // namespace

void CheckSegment(const Segment& segment, const std::string& name, IndexCheck* check) {
  check->segments++;
  check->documents += segment.documents();
  const auto note = [&](const std::string& what, const Status& status) {
    if (!status.ok()) check->problems.push_back(fmt::format("{}: {}: {}", name, what, status.message()));
  };
  for (size_t i = 0; i < segment.fields().size(); i++) {
    const FieldInfo& said = segment.info().fields[i];
    note("field " + said.name, CheckField(segment.fields()[i], said, segment.documents()));
    check->terms += said.terms;
    check->postings += said.postings;
  }
  note("documents", CheckDocuments(segment));
}

namespace {

// The pages of a rank, and the columns made from them.
Status CheckRank(const std::string& index, const Manifest::Rank& rank, const Snapshot& snapshot) {
  const std::string path = RankPagesPath(index, rank);
  CRV_ASSIGN(const std::shared_ptr<const RankPages> pages, RankPages::Open(path, Verify::kPayload));
  const Status order = pages->Check();
  if (!order.ok()) return order.WithContext(path);
  if (pages->scale().digest != rank.digest || pages->name() != rank.name)
    return Status::Corruption(path + ": found another rank than the manifest names");
  for (const SegmentView& view : snapshot.segments()) {
    const RankColumn* column = view.rank(rank.name);
    CRV_TRY(column->Check());
    const auto expected = pages->ColumnOf(*view.segment);
    if (AsText(expected->image()) != AsText(column->image()))
      return Status::Corruption(fmt::format("{}: a segment has a column with other values", path));
  }
  return Status::Ok();
}

}  // namespace

Result<IndexCheck> CheckIndex(const std::string& directory) {
  IndexCheck check;
  const auto manifest = Manifest::Read(directory);
  if (!manifest.ok()) {
    if (manifest.status().code() == StatusCode::kNotFound) return manifest.status();
    check.problems.push_back(manifest.status().message());
    return check;
  }
  const auto snapshot = Snapshot::Open(directory, Verify::kPayload);
  if (!snapshot.ok()) {
    check.problems.push_back(snapshot.status().message());
    return check;
  }
  if ((*snapshot)->generation() == manifest->generation) {
    for (const Manifest::Rank& rank : manifest->ranks) {
      const Status status = CheckRank(directory, rank, **snapshot);
      if (!status.ok()) check.problems.push_back(status.message());
    }
  }
  for (size_t i = 0; i < (*snapshot)->segments().size(); i++) {
    const SegmentView& view = (*snapshot)->segments()[i];
    // A writer may have committed since the manifest was read: then its numbers belong to another snapshot.
    const bool same = (*snapshot)->generation() == manifest->generation;
    const std::string name = same ? SegmentPath(directory, manifest->segments[i].id) : directory;
    CheckSegment(*view.segment, name, &check);
    const uint64_t deleted = view.live == nullptr ? 0 : view.live->deleted();
    if (same && deleted != manifest->segments[i].deleted) {
      check.problems.push_back(fmt::format("{}: found {} deleted documents, expected {}", name, deleted,
                                           manifest->segments[i].deleted));
    }
  }
  return check;
}

}  // namespace crivello::index
