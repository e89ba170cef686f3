// SPDX-License-Identifier: Apache-2.0
#include "engine/known_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "base/file_format.h"
#include "base/input_file.h"
#include "base/log.h"
#include "care/backup.h"
#include "collection/forgotten.h"
#include "collection/tablet_journal.h"
#include "dedup/discovery/duplicate_files.h"
#include "dedup/discovery/fingerprint_run.h"
#include "dedup/seen_texts.h"
#include "dedup/simhash/hamming_index.h"
#include "graph/ef/ef_graph.h"
#include "graph/names/name_list.h"
#include "graph/rank_file.h"
#include "index/ranks/rank_column.h"
#include "index/ranks/rank_pages.h"
#include "index/segments/document_values.h"
#include "index/segments/live_documents.h"
#include "index/segments/manifest.h"
#include "index/segments/segment.h"
#include "index/segments/segment_info.h"
#include "index/segments/text_store.h"
#include "index/terms/term_dictionary.h"
#include "jobs/links/links_file.h"
#include "kv/manifest_end.h"
#include "policy/traps.h"
#include "sieve/arrival_queue.h"
#include "sieve/key_block.h"
#include "sieve/mercator_manifest.h"
#include "sieve/offline_manifest.h"
#include "sieve/z_file.h"
#include "succinct/approximate_dictionary.h"
#include "succinct/bit_vector.h"
#include "succinct/bloom_filter.h"
#include "succinct/elias_fano.h"
#include "succinct/hyper_log_log.h"
#include "succinct/rank_bits.h"
#include "succinct/rank_select_bits.h"
#include "succinct/static_function.h"
#include "succinct/term_map.h"

namespace crivello::engine {
namespace {

template <typename X>
Result<Description> DescribeAs(Bytes image) {
  CRV_ASSIGN(const X x, X::FromImage(image));
  return x.Describe();
}

Result<Description> DescribeManifest(Bytes payload) {
  CRV_ASSIGN(const index::Manifest manifest, index::Manifest::Decode(AsText(payload)));
  return manifest.Describe();
}

struct KnownKind {
  FileKind kind;
  Result<Description> (*describe)(Bytes) = nullptr;
  std::string_view about = {};  // for those that cannot be described on their own
};
template <typename X>
constexpr KnownKind KindOf() {
  return {X::kFileKind, DescribeAs<X>, {}};
}

constexpr KnownKind kKnownKinds[] = {
    KindOf<succinct::ApproximateDictionary>(),
    KindOf<succinct::BitVector>(),
    KindOf<succinct::BlockedBloomFilter>(),
    KindOf<succinct::BloomFilter>(),
    KindOf<succinct::EliasFano>(),
    KindOf<succinct::HyperLogLogArray>(),
    KindOf<succinct::RankBits>(),
    KindOf<succinct::RankSelectBits>(),
    KindOf<succinct::StaticFunction>(),
    KindOf<succinct::TermMap>(),
    KindOf<dedup::DuplicateClusters>(),
    KindOf<dedup::DuplicatePairs>(),
    KindOf<dedup::FingerprintRun>(),
    KindOf<dedup::HammingIndex>(),
    KindOf<index::DocumentValues>(),
    KindOf<index::LiveDocuments>(),
    KindOf<index::RankColumn>(),
    KindOf<index::RankPages>(),
    KindOf<index::TermDictionary>(),
    KindOf<index::TextStore>(),
    KindOf<care::BackupList>(),
    KindOf<collection::ForgottenSet>(),
    KindOf<graph::EfGraph>(),
    KindOf<graph::NameList>(),
    KindOf<graph::RankVector>(),
    KindOf<jobs::LinksFile>(),
    {index::Manifest::kFileKind, DescribeManifest, {}},
    // The parts of these are in several files, or mean nothing without the rest.
    {index::SegmentInfo::kFileKind, nullptr, "the properties of a segment; inspect its folder"},
    {index::part::kDocumentsKind, nullptr,
     "the documents of all posting lists of a field; inspect the segment"},
    {index::part::kCountsKind, nullptr, "the counts of all posting lists of a field; inspect the segment"},
    {index::part::kPositionsKind, nullptr,
     "the positions of all posting lists of a field; inspect the segment"},
    {index::part::kLengthsKind, nullptr, "the length of each document in a field; inspect the segment"},
    {dedup::SeenTexts::kFileKind, nullptr, "digests of texts that were seen (docs/formats/seen-texts.md)"},
    {policy::TrapMemory::kFileKind, nullptr, "what was seen of endless sites (docs/formats/trap-memory.md)"},
    {sieve::ZFile::kFileKind, nullptr, "signatures of URLs that were seen (docs/formats/sieve-z.md)"},
    {sieve::MercatorManifest::kFileKind, nullptr, "the files of a sieve (docs/formats/sieve-manifest.md)"},
    {sieve::MercatorMarks::kFileKind, nullptr, "marks of a sieve (docs/formats/sieve-manifest.md)"},
    {sieve::OfflineManifest::kFileKind, nullptr, "the files of a sieve (docs/formats/sieve-offline.md)"},
    {sieve::QueueSegmentWriter::kFileKind, nullptr,
     "places of URLs that wait (docs/formats/sieve-offline.md)"},
    {{.name = "sieve-position", .version = 1},
     nullptr,
     "how far a queue was read (docs/formats/sieve-keys.md)"},
};

struct KnownLog {
  FileKind kind;
  std::string_view about;
};
constexpr KnownLog kKnownLogs[] = {
    {collection::TabletJournal::kFileKind, "how far each store of a tablet was durable"},
    {kv::ManifestWitness::kFileKind, "how far the MANIFEST of a database was durable"},
    {sieve::kKeyLogKind, "URLs that wait in a sieve (docs/formats/sieve-keys.md)"},
    {{.name = "sieve-seen", .version = 1}, "signatures of a sieve in memory (docs/formats/sieve-keys.md)"},
};

// Files in other people's formats: each exists because other programs must be able to read or write it.
struct ForeignFile {
  std::string_view begins;  // the beginning of its name
  std::string_view ends;
  std::string_view kind;
  std::string_view read_by;
};
constexpr ForeignFile kForeignFiles[] = {
    {"crivello.toml", "", "options (TOML)", "any editor; docs/configuration.md"},
    {"seeds.txt", "", "seeds, one URL a line", "any editor"},
    {"exclusions.txt", "", "exclusions, one a line", "any editor; the dashboard"},
    {"lock", "", "lock", "nobody: it is locked while a process has the folder open"},
    {"LOCK", "", "lock of the database", "nobody"},
    {"paused", "", "mark: the crawl is paused", "nobody: it is there or not"},
    {"offer-again", "", "mark: the next crawl offers the links of all rows again",
     "nobody: it is there or not"},
    {"", ".warc.gz", "web archive (WARC, gzip)", "crivello warc ls FILE"},
    {"", ".warc.zst", "web archive (WARC, zstd)", "crivello warc ls FILE"},
    {"", ".warc", "web archive (WARC)", "crivello warc ls FILE"},
    {"", ".cdxj", "index of a web archive (CDXJ)", "any pager; docs/formats/cdxj.md"},
    {"", ".graph", "link graph (WebGraph's BVGraph)",
     "crivello graph stats --graph, without the ending; WebGraph"},
    {"", ".offsets", "where the lists of a link graph begin (WebGraph)", "WebGraph; docs/formats/bvgraph.md"},
    {"", ".properties", "properties of a link graph (WebGraph)", "any pager; docs/formats/bvgraph.md"},
    {"", ".labels", "numbers of links on the arcs of a graph (WebGraph)",
     "WebGraph; docs/formats/bvgraph.md"},
    {"", ".labeloffsets", "where the labels of a node begin (WebGraph)", "WebGraph; docs/formats/bvgraph.md"},
    {"", ".sst", "table of the database (RocksDB)", "RocksDB's sst_dump; docs/formats/table.md"},
    {"", ".blob", "values of the database (RocksDB)", "RocksDB"},
    {"", ".log", "write-ahead log of the database (RocksDB)", "RocksDB's ldb"},
    {"MANIFEST-", "", "files of the database (RocksDB)", "RocksDB's ldb"},
    {"OPTIONS-", "", "options of the database (RocksDB)", "any pager"},
    {"CURRENT", "", "name of the database's manifest (RocksDB)", "any pager"},
    {"IDENTITY", "", "identity of the database (RocksDB)", "any pager"},
    {"LOG", "", "messages of the database (RocksDB)", "any pager"},
};

std::optional<Description> DescribeForeign(const std::string& path) {
  const std::string name = std::filesystem::path(path).filename().string();
  for (const ForeignFile& known : kForeignFiles) {
    const bool is_whole =
        known.ends.empty() && (name == known.begins || known.begins.ends_with('-') || known.begins == "LOG");
    if (!name.starts_with(known.begins) || !name.ends_with(known.ends)) continue;
    if (known.ends.empty() && !is_whole) continue;
    return Description{
        {"file", path}, {"kind", std::string(known.kind)}, {"read-by", std::string(known.read_by)}};
  }
  return std::nullopt;
}

Result<Description> DescribeLog(const std::string& path, const FileHeader& header, const KnownLog& known) {
  CRV_TRY(header.Expect(path, known.kind));
  uint64_t bytes = 0;
  CRV_ASSIGN(const LogRecovery log, ReadLog(path, known.kind, [&bytes](Bytes record) {
               bytes += record.size();
               return Status::Ok();
             }));
  return Description{{"file", path},
                     {"kind", std::string(known.kind.name)},
                     {"version", uint64_t{header.version}},
                     {"holds", std::string(known.about)},
                     {"records", log.records},
                     {"record-bytes", bytes},
                     {"torn-bytes", log.torn_bytes}};
}

Result<Description> DescribeEnvelope(const std::string& path) {
  CRV_ASSIGN(const FormatFile file, FormatFile::OpenAny(path));
  Description all = {{"file", path},
                     {"kind", std::string(file.kind())},
                     {"version", uint64_t{file.version()}},
                     {"payload-bytes", uint64_t{file.payload().size()}}};
  for (const KnownKind& known : kKnownKinds) {
    if (known.kind.name != file.kind()) continue;
    CRV_TRY(file.Expect(known.kind));
    if (known.describe == nullptr) {
      all.push_back({"holds", std::string(known.about)});
      return all;
    }
    CRV_ASSIGN(const Description inside, known.describe(file.payload()));
    all.insert(all.end(), inside.begin(), inside.end());
    return all;
  }
  return Status::Corruption(
      fmt::format("{}: is of the kind '{}', which this version does not know", path, file.kind()));
}

Result<Description> DescribeSegment(const std::string& path) {
  CRV_ASSIGN(const auto segment, index::Segment::Open(path, Verify::kPayload));
  Description all = {{"folder", path}};
  const Description inside = segment->Describe();
  all.insert(all.end(), inside.begin(), inside.end());
  return all;
}

}  // namespace

Result<Description> DescribeFile(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return DescribeSegment(path);
  if (auto foreign = DescribeForeign(path); foreign && std::filesystem::exists(path, error)) {
    return *std::move(foreign);
  }
  CRV_ASSIGN(const InputFile file, InputFile::Open(path));
  std::vector<std::byte> head(kHeaderBytes);
  CRV_ASSIGN(const size_t read, file.Read(0, head));
  head.resize(read);
  CRV_ASSIGN(const FileHeader header, DecodeFileHeader(path, head));
  for (const KnownLog& known : kKnownLogs) {
    if (known.kind.name == header.kind) return DescribeLog(path, header, known);
  }
  return DescribeEnvelope(path);
}

}  // namespace crivello::engine
