// SPDX-License-Identifier: Apache-2.0
#include "index/run_store.h"

#include <unistd.h>

#include <atomic>

namespace crivello::index {

RunStore::~RunStore() {
  if (path_.empty()) return;
  file_.reset();
  options_.fs->Remove(path_).IgnoreError();
}

// Its name is that of this process and object: others may build in the same folder.
Status RunStore::OpenFile() {
  static std::atomic<uint64_t> made = 0;
  const std::string path =
      options_.scratch + "/runs-" + std::to_string(::getpid()) + "-" + std::to_string(made++);
  CRV_ASSIGN(file_, options_.fs->OpenForAppend(path, {.truncate = true}));
  path_ = path;
  return Status::Ok();
}

Status RunStore::Add(DocId documents, std::vector<std::vector<uint8_t>> runs) {
  while (fields_.size() < runs.size()) fields_.push_back({documents_, {}});
  documents_ += documents;
  for (size_t field = 0; field < runs.size(); field++) {
    Run& run = fields_[field].runs.emplace_back();
    run.size = runs[field].size();
    if (options_.scratch.empty() || in_memory_ + run.size <= options_.memory_bytes) {
      in_memory_ += run.size;
      run.memory.assign(runs[field].begin(), runs[field].end());  // no more than it needs
      continue;
    }
    if (file_ == nullptr) CRV_TRY(OpenFile());
    run.offset = file_bytes_;
    CRV_TRY(file_->Append(std::as_bytes(std::span(runs[field]))));
    file_bytes_ += run.size;
  }
  return Status::Ok();
}

Result<std::vector<RunPlace>> RunStore::Open(uint32_t field, PostingContents contents) {
  if (file_ != nullptr && !input_) {
    CRV_ASSIGN(input_, InputFile::Open(path_));
  }
  const Field& runs = fields_[field];
  std::vector<RunPlace> places;
  if (runs.before > 0) {
    empty_run_.clear();
    RunWriter(contents, std::vector<uint32_t>(runs.before), &empty_run_).Finish();
    places.push_back({.memory = std::as_bytes(std::span(empty_run_))});
  }
  for (const Run& run : runs.runs) {
    if (run.memory.empty()) {
      places.push_back({.file = &*input_, .offset = run.offset, .size = run.size});
    } else {
      places.push_back({.memory = std::as_bytes(std::span(run.memory))});
    }
  }
  return places;
}

void RunStore::Drop(uint32_t field) { fields_[field].runs = {}; }

}  // namespace crivello::index
