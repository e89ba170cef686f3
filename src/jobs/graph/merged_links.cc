// SPDX-License-Identifier: Apache-2.0
#include "jobs/graph/merged_links.h"

#include <algorithm>
#include <utility>

#include "jobs/links/links_folder.h"

namespace crivello::jobs {

Result<LinksFiles> LinksFiles::Open(std::span<const LinkTablet> tablets) {
  LinksFiles all;
  for (const LinkTablet& tablet : tablets) {
    CRV_ASSIGN(auto file,
               Mapped<LinksFile>::Open(LinksPath(tablet.folder),
                                       {.verify = Verify::kEnvelope, .pattern = AccessPattern::kSequential}));
    all.files_.push_back(std::move(file));
  }
  return all;
}

bool LinksFiles::Current(std::span<const LinkTablet> tablets) const {
  if (files_.size() != tablets.size()) return false;
  for (size_t i = 0; i < tablets.size(); i++) {
    const LinksOrigin& origin = files_[i]->origin();
    if (origin.tablet != tablets[i].id || origin.sources.size() != tablets.size()) return false;
    for (const LinkTablet& tablet : tablets) {
      const auto source = std::find_if(origin.sources.begin(), origin.sources.end(),
                                       [&tablet](const auto& s) { return s.tablet == tablet.id; });
      if (source == origin.sources.end() || source->sequence != tablet.changes->last()) return false;
    }
  }
  return true;
}

uint64_t LinksFiles::links() const {
  uint64_t links = 0;
  for (const Mapped<LinksFile>& file : files_) links += file->links();
  return links;
}

MergedLinks::MergedLinks(const LinksFiles& files) : files_(files.files()) {
  for (const Mapped<LinksFile>& file : files_) cursors_.emplace_back(*file);
}

bool MergedLinks::Advance(size_t cursor) {
  if (cursors_[cursor].Next()) return true;
  if (const Status& status = cursors_[cursor].status(); !status.ok()) {
    status_ = status.WithContext(files_[cursor].file().path());
  }
  return false;
}

bool MergedLinks::Next() {
  const auto later = [this](size_t a, size_t b) { return Later(a, b); };
  if (!started_) {
    started_ = true;
    for (size_t i = 0; i < cursors_.size() && status_.ok(); i++) {
      if (Advance(i)) heap_.push_back(i);
    }
    std::make_heap(heap_.begin(), heap_.end(), later);
  } else if (!heap_.empty()) {
    // All links of a target are in one file, so usually the same cursor stays in front.
    const size_t first = heap_.front();
    std::pop_heap(heap_.begin(), heap_.end(), later);
    heap_.pop_back();
    if (Advance(first)) {
      heap_.push_back(first);
      std::push_heap(heap_.begin(), heap_.end(), later);
    }
  }
  return status_.ok() && !heap_.empty();
}

}  // namespace crivello::jobs
