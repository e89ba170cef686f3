// SPDX-License-Identifier: Apache-2.0
#include "sieve/mercator_z.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/image.h"

namespace crivello::sieve {

Result<MercatorZ::Run> MercatorZ::OpenRun(uint64_t id) const {
  CRV_ASSIGN(ZFile file, ZFile::Open(files_.Run(id)));
  return Run{.id = id, .file = std::make_unique<const ZFile>(std::move(file))};
}

Status MercatorZ::Open(const std::vector<MercatorManifest::Run>& runs) {
  for (const auto& run : runs) {
    CRV_ASSIGN(Run opened, OpenRun(run.id));
    if (opened.file->keys() != run.keys) {
      return Status::Corruption(fmt::format("{}: corrupt: found {} keys, but the manifest says {}",
                                            opened.file->path(), opened.file->keys(), run.keys));
    }
    runs_.push_back(std::move(opened));
  }
  return Status::Ok();
}

Status MercatorZ::DropKnown(const ZFile& run) {
  auto& signatures = sort_.signatures();
  auto& positions = sort_.positions();
  // The remaining keys are moved up behind the scan position, which only moves forwards.
  size_t kept = 0;
  size_t from = 0;
  const auto keep_until = [&](size_t end) {
    if (kept != from) {
      std::copy_n(signatures.data() + from, end - from, signatures.data() + kept);
      std::copy_n(positions.data() + from, end - from, positions.data() + kept);
    }
    kept += end - from;
  };
  CRV_TRY(FindAll(run, signatures, [&](size_t i) {
    keep_until(i);
    from = i + 1;
  }));
  keep_until(signatures.size());
  signatures.resize(kept);
  positions.resize(kept);
  return Status::Ok();
}

Status MercatorZ::WriteRun(uint64_t id, const std::function<bool()>& stop) {
  uint64_t keys = sort_.signatures().size();
  while (kept_ > 0 && runs_[kept_ - 1].file->keys() < kGrowth * keys) keys += runs_[--kept_].file->keys();
  std::vector<const ZFile*> merged;
  for (size_t i = kept_; i < runs_.size(); i++) merged.push_back(runs_[i].file.get());
  CRV_ASSIGN(auto writer, ZWriter::Create(files_.Run(id), fs_));
  CRV_TRY(MergeRuns(merged, sort_.signatures(), stop, writer));
  CRV_TRY(writer.Finish());
  CRV_ASSIGN(new_run_, OpenRun(id));
  return Status::Ok();
}

Result<MercatorZ::Decision> MercatorZ::Decide(uint64_t id, std::span<uint64_t> batch,
                                              const std::function<bool()>& stop) {
  new_run_ = {};
  kept_ = runs_.size();
  sort_.Sort(batch);
  sort_.Deduplicate();
  for (const Run& run : runs_) {
    if (stop()) return Status::Unavailable("stopped");
    CRV_TRY(DropKnown(*run.file));
  }
  Decision decision;
  decision.passed = sort_.signatures().size();
  if (decision.passed > 0) {
    MercatorMarks marks(batch.size());
    for (const uint32_t position : sort_.positions()) marks.Set(position);
    CRV_TRY(WriteImage(files_.Marks(id), MercatorMarks::kFileKind, marks.Encode().bytes(), fs_));
    CRV_TRY(WriteRun(id, stop));
  }
  for (size_t i = 0; i < kept_; i++) {
    decision.runs.push_back({.id = runs_[i].id, .keys = runs_[i].file->keys()});
  }
  if (new_run_.file) decision.runs.push_back({.id = id, .keys = new_run_.file->keys()});
  return decision;
}

void MercatorZ::Accept() {
  if (!new_run_.file) return;
  for (size_t i = kept_; i < runs_.size(); i++) {
    // If left over, it is garbage, which the next opening removes.
    fs_.Remove(runs_[i].file->path()).IgnoreError();
  }
  runs_.resize(kept_);
  runs_.push_back(std::exchange(new_run_, {}));
}

uint64_t MercatorZ::size_bytes() const {
  uint64_t bytes = 0;
  for (const Run& run : runs_) bytes += run.file->size_bytes();
  return bytes;
}

}  // namespace crivello::sieve
