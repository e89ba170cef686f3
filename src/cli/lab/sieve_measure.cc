// SPDX-License-Identifier: Apache-2.0
#include "cli/lab/sieve_measure.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "base/file_system.h"
#include "base/scratch_folder.h"
#include "cli/json.h"
#include "cli/output.h"
#include "cli/terminal_progress.h"
#include "cli/units.h"
#include "sieve/sieve_factory.h"
#include "sieve/sieve_load.h"

namespace crivello::cli {
namespace {

constexpr uint64_t kSeed = 1;
constexpr uint64_t kFillGroup = 1000;
constexpr uint64_t kFillRelease = 1'000'000;

// The peak memory of the process since the last ResetPeakMemory(), or 0 if the system does not report
// it.
uint64_t PeakMemory() {
  const auto status = ReadFile("/proc/self/status");
  if (!status.ok()) return 0;
  const size_t at = status->find("VmHWM:");
  return at == std::string::npos ? 0 : std::strtoull(status->c_str() + at + 6, nullptr, 10) << 10;
}
void ResetPeakMemory() {
  ::malloc_trim(0);
  const int file = ::open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  [[maybe_unused]] const ssize_t written = ::write(file, "5", 1);
  ::close(file);
}

// Adds the keys from `from` to before `to` of the load to a sieve.  Their bytes do not matter.
Status Fill(sieve::Sieve& sieve, uint64_t from, uint64_t to, Progress& progress) {
  std::vector<sieve::Key> keys;
  const auto drain = [&]() -> Status {
    CRV_TRY(sieve.Sync());
    CRV_TRY(sieve.Take(UINT64_MAX, [](std::string_view) {}));
    return sieve.Release();
  };
  for (uint64_t i = from; i < to;) {
    keys.clear();
    for (const uint64_t end = std::min(to, i + kFillGroup); i < end; i++) {
      keys.push_back({.signature = sieve::LoadKey::SignatureOf(kSeed, i), .bytes = {}});
    }
    CRV_TRY(sieve.Offer(keys));
    progress.Advance(keys.size());
    if (i % kFillRelease < kFillGroup) CRV_TRY(drain());
  }
  CRV_TRY(sieve.Flush({.wait = true}));
  return drain();
}

struct Row {
  std::string kind;
  uint64_t known = 0;
  sieve::SieveLoadResult load = {};
  uint64_t written_bytes = 0;
  uint64_t peak_memory = 0;
  double expected_losses = 0;

  double keys_per_cpu_second() const { return static_cast<double>(load.offers) / load.cpu_seconds; }
  double written_per_key() const {
    return static_cast<double>(written_bytes) / static_cast<double>(load.offers);
  }
  uint64_t lost() const { return load.fresh - std::min(load.fresh, load.taken); }
};

void PrintMeasure(const Session& session, const Row& row, double repeats) {
  const Json object = {{"kind", row.kind},
                       {"known", row.known},
                       {"offered", row.load.offers},
                       {"repeats", repeats},
                       {"keys_per_cpu_second", row.keys_per_cpu_second()},
                       {"cpu_seconds", row.load.cpu_seconds},
                       {"seconds", row.load.wall_seconds},
                       {"peak_memory_bytes", row.peak_memory},
                       {"disk_bytes", row.load.stats.disk_bytes},
                       {"written_bytes_per_key", row.written_per_key()},
                       {"new", row.load.fresh},
                       {"passed", row.load.taken},
                       {"lost", row.lost()},
                       {"expected_losses", row.expected_losses}};
  PrintJson(session, object);
}

std::vector<std::string> Cells(const Row& row) {
  return {row.kind,
          Grouped(row.known),
          Grouped(static_cast<uint64_t>(row.keys_per_cpu_second())),
          FormatSize(row.peak_memory),
          FormatSize(row.load.stats.disk_bytes),
          fmt::format("{:.1f}", row.written_per_key()),
          Grouped(row.load.taken),
          Grouped(row.lost()),
          fmt::format("{:.0f}", row.expected_losses)};
}

Result<Row> Measure(const std::string& kind, const std::string& folder, const SieveBenchOptions& options,
                    uint64_t known, uint64_t* filled, std::unique_ptr<sieve::Sieve>& sieve,
                    Progress& progress) {
  const sieve::SieveOptions make = {
      .memory_bytes = options.memory_bytes,
      .expected_keys = *std::max_element(options.known.begin(), options.known.end()) + options.keys};
  progress.Start(fmt::format("{}: filling", kind), known - std::min(known, *filled));
  // For sieves based on sorted files, the known keys can be written directly as such a file.
  const bool prepared = kind == "mercator" || kind == "offline";
  if (prepared) {
    sieve.reset();
    std::filesystem::remove_all(folder);
    CRV_TRY(kind == "mercator" ? sieve::PrepareMercatorSieve(folder, kSeed, known)
                               : sieve::PrepareOfflineSieve(folder, kSeed, known));
    *filled = known;
  }
  if (sieve == nullptr) {
    CRV_ASSIGN(sieve, sieve::MakeSieve(kind, folder, make));
  }
  CRV_TRY(Fill(*sieve, *filled, known, progress));
  progress.Finish();

  Row row;
  row.kind = kind;
  row.known = known;
  const uint64_t written = sieve->stats().written_bytes;
  progress.Start(fmt::format("{}: {} keys into {}", kind, Grouped(options.keys), Grouped(known)),
                 options.keys);
  uint64_t done = 0;
  ResetPeakMemory();
  CRV_ASSIGN(row.load,
             sieve::RunSieveLoad(
                 *sieve, {.seed = kSeed, .offers = options.keys, .repeats = options.repeats, .known = known},
                 [&](uint64_t offers) { progress.Advance(offers - std::exchange(done, offers)); }));
  row.peak_memory = PeakMemory();
  progress.Finish();
  row.written_bytes = row.load.stats.written_bytes - written;
  *filled = known + row.load.fresh;
  row.expected_losses = sieve::ExpectedLosses(kind, make, *filled) - sieve::ExpectedLosses(kind, make, known);
  return row;
}

}  // namespace

Result<int> SieveBench(const Session& session, const SieveBenchOptions& options) {
  std::vector<std::string> kinds = options.kinds;
  if (kinds.empty()) {
    for (const auto& kind : sieve::SieveKinds()) kinds.emplace_back(kind.name);
  }
  std::vector<uint64_t> sizes = options.known;
  std::sort(sizes.begin(), sizes.end());
  std::optional<ScratchFolder> own;
  if (options.folder.empty()) {
    CRV_ASSIGN(ScratchFolder made, ScratchFolder::Create({.prefix = "crivello-sieve-"}));
    own.emplace(std::move(made));
  }
  const std::string& folder = own ? own->path() : options.folder;
  const auto progress = MakeProgress(session);
  Table table({{"sieve"},
               {"known", true},
               {"keys/CPU-s", true},
               {"memory", true},
               {"disk", true},
               {"written B/key", true},
               {"passed", true},
               {"lost", true},
               {"expected", true}});
  for (const auto& kind : kinds) {
    std::unique_ptr<sieve::Sieve> sieve;
    uint64_t filled = 0;
    const std::string path = folder + "/" + kind;
    for (const uint64_t known : sizes) {
      if (known < filled) {
        return Status::InvalidArgument(fmt::format(
            "{} keys were known before the measuring at {}: the sizes are too near", filled, known));
      }
      CRV_ASSIGN(const Row row, Measure(kind, path, options, known, &filled, sieve, *progress));
      session.json ? PrintMeasure(session, row, options.repeats) : table.Row(Cells(row));
    }
    sieve.reset();
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  if (!session.json) session.out->Print("{}", table.ToString());
  return kDone;
}

}  // namespace crivello::cli
