// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>

#include "base/description.h"
#include "base/file_format.h"
#include "care/backup.h"
#include "cli/app.h"
#include "cli/json.h"
#include "cli/output.h"
#include "collection/forgotten.h"
#include "dedup/discovery/duplicate_files.h"
#include "dedup/discovery/fingerprint_run.h"
#include "dedup/simhash/hamming_index.h"
#include "index/segments/document_values.h"
#include "index/segments/live_documents.h"
#include "index/segments/manifest.h"
#include "index/segments/segment.h"
#include "index/segments/text_store.h"
#include "index/terms/term_dictionary.h"
#include "jobs/links/links_file.h"
#include "succinct/approximate_dictionary.h"
#include "succinct/bit_vector.h"
#include "succinct/bloom_filter.h"
#include "succinct/elias_fano.h"
#include "succinct/hyper_log_log.h"
#include "succinct/rank_bits.h"
#include "succinct/rank_select_bits.h"
#include "succinct/static_function.h"
#include "succinct/term_map.h"

namespace crivello::cli {
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

// Every kind of file that the program writes, and who can read it.
struct Kind {
  FileKind kind;
  Result<Description> (*describe)(Bytes);
};
template <typename X>
constexpr Kind KindOf() {
  return {X::kFileKind, DescribeAs<X>};
}
constexpr Kind kKinds[] = {
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
    KindOf<index::TermDictionary>(),
    KindOf<index::TextStore>(),
    KindOf<care::BackupList>(),
    KindOf<collection::ForgottenSet>(),
    KindOf<jobs::LinksFile>(),
    {index::Manifest::kFileKind, DescribeManifest},
};

Result<Description> Describe(const FormatFile& file) {
  for (const Kind& known : kKinds) {
    if (known.kind.name != file.kind()) continue;
    CRV_TRY(file.Expect(known.kind));
    return known.describe(file.payload());
  }
  return Status::Corruption(
      fmt::format("{}: holds '{}', which this program does not know", file.path(), file.kind()));
}

Json ToJson(const Description& description) {
  Json object;
  for (const Field& field : description) {
    std::visit([&](const auto& value) { object[field.name] = value; }, field.value);
  }
  return object;
}

std::string ToText(const Field& field) {
  if (const auto* number = std::get_if<uint64_t>(&field.value)) return Grouped(*number);
  if (const auto* number = std::get_if<double>(&field.value)) return fmt::format("{:.4g}", *number);
  return Printable(std::get<std::string>(field.value));
}

Result<Description> DescribeFile(const std::string& path) {
  CRV_ASSIGN(const FormatFile file, FormatFile::OpenAny(path));
  Description all = {{"file", path},
                     {"kind", std::string(file.kind())},
                     {"version", uint64_t{file.version()}},
                     {"payload-bytes", uint64_t{file.payload().size()}}};
  CRV_ASSIGN(const Description inside, Describe(file));
  all.insert(all.end(), inside.begin(), inside.end());
  return all;
}

// A folder is taken for a segment.
Result<Description> DescribeSegment(const std::string& path) {
  CRV_ASSIGN(const auto segment, index::Segment::Open(path, Verify::kPayload));
  Description all = {{"folder", path}};
  const Description inside = segment->Describe();
  all.insert(all.end(), inside.begin(), inside.end());
  return all;
}

Result<int> Inspect(const Session& session, const std::string& path) {
  std::error_code error;
  CRV_ASSIGN(const Description all,
             std::filesystem::is_directory(path, error) ? DescribeSegment(path) : DescribeFile(path));
  if (session.json) {
    PrintJson(session, ToJson(all));
    return kDone;
  }
  for (const Field& field : all) session.out->Print("{:<24} {}\n", field.name, ToText(field));
  return kDone;
}

}  // namespace

void AddInspectCommand(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("inspect", "Verify a file of Crivello and tell what it holds");
  auto path = std::make_shared<std::string>();
  command->add_option("FILE", *path, "The file, or the folder of a segment")->required();
  command->footer(
      "Examples:\n"
      "  crivello inspect numbers.ef\n"
      "  crivello inspect collection/tablets/t-/index/manifest\n"
      "  crivello --json inspect numbers.ef");
  Runs(*command, session, [&session, path] { return Inspect(session, *path); });
}

}  // namespace crivello::cli
