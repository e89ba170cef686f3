// SPDX-License-Identifier: Apache-2.0
#include "index/segments/manifest.h"

#include <fmt/format.h>

#include "base/record.h"
#include "index/ranks/rank_scale.h"

namespace crivello::index {

std::string Manifest::Encode() const {
  RecordWriter record;
  record.Number(generation);
  record.Text(settings.analyser);
  record.Text(settings.format);
  record.Number(static_cast<uint64_t>(settings.contents));
  record.Number(settings.store_text ? 1 : 0);
  record.Number(settings.versions ? 1 : 0);
  record.Text(settings.fields);
  record.Number(sequence);
  record.Number(next_segment);
  record.Number(segments.size());
  for (const Entry& entry : segments) {
    record.Number(entry.id);
    record.Number(entry.documents);
    record.Number(entry.deleted);
    record.Number(entry.deletions);
    record.Number(entry.bytes);
  }
  record.Number(ranks.size());
  for (const Rank& rank : ranks) {
    record.Text(rank.name);
    record.Number(rank.generation);
    record.Number(rank.digest);
  }
  RecordWriter payload;  // starts with its length, to distinguish it from the padding
  payload.Text(record.bytes());
  return std::move(payload).bytes();
}

Result<Manifest> Manifest::Decode(std::string_view payload) {
  RecordReader whole(payload);
  RecordReader reader(whole.Text());
  Manifest manifest;
  manifest.generation = reader.Number();
  manifest.settings.analyser = reader.Text();
  manifest.settings.format = reader.Text();
  manifest.settings.contents =
      static_cast<PostingContents>(reader.NumberAtMost(static_cast<uint64_t>(PostingContents::kPositions)));
  manifest.settings.store_text = reader.NumberAtMost(1) != 0;
  manifest.settings.versions = reader.NumberAtMost(1) != 0;
  manifest.settings.fields = reader.Text();
  manifest.sequence = reader.Number();
  manifest.next_segment = reader.Number();
  const uint64_t count = reader.NumberAtMost(reader.left());
  for (uint64_t i = 0; i < count && reader.ok(); i++) {
    Entry entry;
    entry.id = reader.Number();
    entry.documents = reader.NumberAtMost(kEndDoc);
    entry.deleted = reader.NumberAtMost(entry.documents);
    entry.deletions = reader.NumberAtMost(manifest.generation);
    entry.bytes = reader.Number();
    const uint64_t least = manifest.segments.empty() ? 1 : manifest.segments.back().id + 1;
    if (reader.ok() && (entry.id < least || entry.id >= manifest.next_segment))
      return Status::Corruption(fmt::format("corrupt index manifest: a segment {}", entry.id));
    manifest.segments.push_back(entry);
  }
  // Version 1 ends here.
  const uint64_t ranks = reader.finished() ? 0 : reader.NumberAtMost(reader.left());
  for (uint64_t i = 0; i < ranks && reader.ok(); i++) {
    Rank rank;
    rank.name = reader.Text();
    rank.generation = reader.NumberAtMost(manifest.generation);
    rank.digest = reader.Number();
    const bool in_order = manifest.ranks.empty() || manifest.ranks.back().name < rank.name;
    if (reader.ok() && (!IsRankName(rank.name) || !in_order))
      return Status::Corruption(fmt::format("corrupt index manifest: a rank '{}'", rank.name));
    manifest.ranks.push_back(std::move(rank));
  }
  if (!whole.ok() || !reader.finished())
    return Status::Corruption("corrupt index manifest: its length differs from the length it states");
  return manifest;
}

Result<Manifest> Manifest::Read(const std::string& index) {
  CRV_ASSIGN(const FormatFile file, FormatFile::Open(ManifestPath(index), kFileKind));
  auto manifest = Decode(AsText(file.payload()));
  if (!manifest.ok()) return manifest.status().WithContext(file.path());
  return manifest;
}

Status Manifest::Write(const std::string& index, FileSystem& fs) const {
  CRV_ASSIGN(FormatFileWriter file, FormatFileWriter::Create(ManifestPath(index), kFileKind, fs));
  CRV_TRY(file.Append(AsBytes(Encode())));
  return file.Finish();
}

Description Manifest::Describe() const {
  uint64_t documents = 0;
  uint64_t deleted = 0;
  uint64_t bytes = 0;
  for (const Entry& entry : segments) {
    documents += entry.documents;
    deleted += entry.deleted;
    bytes += entry.bytes;
  }
  Description description = {{"generation", generation},
                             {"sequence", sequence},
                             {"analyser", settings.analyser},
                             {"format", settings.format},
                             {"versions", std::string(settings.versions ? "all" : "newest")},
                             {"documents", documents - deleted},
                             {"deleted", deleted},
                             {"bytes", bytes},
                             {"segments", uint64_t{segments.size()}}};
  for (const Entry& entry : segments) {
    description.push_back(
        {fmt::format("segment-{:08}", entry.id),
         fmt::format("{} documents, {} deleted, {} bytes", entry.documents, entry.deleted, entry.bytes)});
  }
  for (const Rank& rank : ranks)
    description.push_back({"rank-" + rank.name, fmt::format("of generation {}", rank.generation)});
  return description;
}

std::string ManifestPath(const std::string& index) { return index + "/manifest"; }
std::string SegmentsPath(const std::string& index) { return index + "/segments"; }
std::string SegmentPath(const std::string& index, uint64_t id) {
  return fmt::format("{}/{:08}", SegmentsPath(index), id);
}
std::string DeletionsPath(const std::string& index, const Manifest::Entry& entry) {
  return fmt::format("{}/deleted-{}", SegmentPath(index, entry.id), entry.deletions);
}

std::string RanksPath(const std::string& index) { return index + "/ranks"; }
std::string RankPagesPath(const std::string& index, const Manifest::Rank& rank) {
  return fmt::format("{}/{}-{}", RanksPath(index), rank.name, rank.generation);
}
std::string RankColumnPath(const std::string& index, uint64_t segment, const Manifest::Rank& rank) {
  return fmt::format("{}/rank-{}-{}", SegmentPath(index, segment), rank.name, rank.generation);
}

}  // namespace crivello::index
