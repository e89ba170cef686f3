// SPDX-License-Identifier: Apache-2.0
#include "index/build/run_store.h"

namespace crivello::index {

Status RunStore::Add(DocId documents, std::vector<std::vector<uint8_t>> runs) {
  while (fields_.size() < runs.size()) fields_.push_back({documents_, {}});
  documents_ += documents;
  for (size_t field = 0; field < runs.size(); field++) {
    Run& run = fields_[field].runs.emplace_back();
    run.size = runs[field].size();
    if (options_.scratch.empty() || in_memory_ + run.size <= options_.memory_bytes) {
      in_memory_ += run.size;
      run.memory.assign(runs[field].begin(), runs[field].end());  // allocates exactly what it needs
      continue;
    }
    if (!file_) {
      CRV_ASSIGN(file_, ScratchFile::Create(options_.scratch, *options_.fs));
    }
    run.offset = file_->size();
    CRV_TRY(file_->Append(std::as_bytes(std::span(runs[field]))));
  }
  return Status::Ok();
}

Result<std::vector<RunPlace>> RunStore::Open(uint32_t field, PostingContents contents) {
  const Field& runs = fields_[field];
  std::vector<RunPlace> places;
  if (runs.before > 0) {
    empty_run_.clear();
    RunWriter(contents, std::vector<uint32_t>(runs.before), &empty_run_).Finish();
    places.push_back({.memory = std::as_bytes(std::span(empty_run_))});
  }
  for (const Run& run : runs.runs) {
    if (run.memory.empty()) {
      places.push_back({.file = &file_->input(), .offset = run.offset, .size = run.size});
    } else {
      places.push_back({.memory = std::as_bytes(std::span(run.memory))});
    }
  }
  return places;
}

void RunStore::Drop(uint32_t field) { fields_[field].runs = {}; }

}  // namespace crivello::index
