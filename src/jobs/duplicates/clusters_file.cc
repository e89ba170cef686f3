// SPDX-License-Identifier: Apache-2.0
#include "jobs/duplicates/clusters_file.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>

#include "base/folder.h"
#include "graph/names/name_list.h"
#include "jobs/duplicates/duplicates_folder.h"

namespace crivello::jobs {
namespace {

constexpr std::string_view kClusterForm = "page cluster";
constexpr uint64_t kCellsAtOnce = 4096;

// Removes the part of a line up to the next space, and returns it.
std::string_view TakePart(std::string_view* line) {
  const size_t end = std::min(line->find(' '), line->size());
  const std::string_view part = line->substr(0, end);
  line->remove_prefix(std::min(end + 1, line->size()));
  return part;
}

bool ParseWhole(std::string_view digits, int base, uint64_t* number) {
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), *number, base);
  return parsed.ec == std::errc() && parsed.ptr == digits.data() + digits.size();
}

// Changes of a tablet's cells, in batches.
class CellChanges {
 public:
  explicit CellChanges(collection::Tablet& tablet) : tablet_(tablet) {}

  Status Put(std::string_view key, const store::DupCell& cell) {
    tablet_.duplicates().Put(key, cell, &batch_);
    return Note(key);
  }
  Status Delete(std::string_view key) {
    tablet_.duplicates().Delete(key, &batch_);
    return Note(key);
  }
  Status Write() {
    if (batch_.empty()) return Status::Ok();
    CRV_TRY(tablet_.db().Write(batch_, {.sync = true}));
    batch_ = kv::Batch();
    return tablet_.Acknowledge();
  }
  uint64_t changed() const { return changed_; }

 private:
  Status Note(std::string_view key) {
    tablet_.table().NoteChange(key, &batch_);
    return ++changed_ % kCellsAtOnce == 0 ? Write() : Status::Ok();
  }

  collection::Tablet& tablet_;
  kv::Batch batch_;
  uint64_t changed_ = 0;
};

}  // namespace

std::string LineOfCluster(const PageCluster& page) {
  return fmt::format("{} {} {:016x} {}", page.row_key, page.representative, page.text_digest, page.members);
}

Result<PageCluster> ParseClusterLine(std::string_view line) {
  PageCluster page;
  page.row_key = TakePart(&line);
  page.representative = TakePart(&line);
  const bool sound = ParseWhole(TakePart(&line), 16, &page.text_digest) &&
                     ParseWhole(TakePart(&line), 10, &page.members) && line.empty();
  if (!sound || page.row_key.empty() || page.representative.empty() || page.members < 2) {
    return Status::Corruption("corrupt file of clusters: a line does not name a page and its cluster");
  }
  return page;
}

Result<graph::NameListWriter> CreateClustersFile(const std::string& path) {
  return graph::NameListWriter::Create({.path = path, .form = std::string(kClusterForm)});
}

Result<TakeClustersSummary> TakeClusters(collection::Collection& store, collection::Tablet& tablet) {
  const std::string path = ClustersOfTabletPath(tablet.duplicates_directory());
  auto file = Mapped<graph::NameList>::Open(path);
  if (file.status().code() == StatusCode::kNotFound) return TakeClustersSummary();
  CRV_TRY(file.status());
  if ((*file)->form() != kClusterForm) {
    return Status::Corruption(path + ": is not a file of clusters");
  }
  const auto forgotten = store.forgotten().current();  // held until everything is written
  const store::DupCells& cells = tablet.duplicates();
  CellChanges changes(tablet);
  kv::Cursor old = cells.Scan();
  for (auto line = (*file)->Begin(); line.valid(); line.Next()) {
    const std::string text(line.name());
    CRV_ASSIGN(const PageCluster page, ParseClusterLine(text));
    if (forgotten->Find(page.row_key) != nullptr || forgotten->Find(page.representative) != nullptr) continue;
    for (; old.valid() && old.key() < page.row_key; old.Next()) CRV_TRY(changes.Delete(old.key()));
    const store::DupCell cell = {.text_digest = page.text_digest,
                                 .members = page.members,
                                 .representative = std::string(page.representative)};
    const bool is_there = old.valid() && old.key() == page.row_key;
    const bool same = is_there && old.value() == store::EncodeDupCell(cell);
    if (is_there) old.Next();
    if (!same) CRV_TRY(changes.Put(page.row_key, cell));
  }
  for (; old.valid(); old.Next()) CRV_TRY(changes.Delete(old.key()));
  CRV_TRY(old.status());
  CRV_TRY(changes.Write());
  CRV_TRY(RemoveFolder(path));
  CRV_TRY(PosixFileSystem().SyncDirectory(tablet.duplicates_directory()));
  return TakeClustersSummary{changes.changed()};
}

}  // namespace crivello::jobs
