// SPDX-License-Identifier: Apache-2.0
#include "crawl/near_copies.h"

#include <algorithm>

#include "dedup/page_digest.h"

namespace crivello::crawl {
namespace {

// The place of a record in 64 bits: tablet, file and offset.
constexpr unsigned kTabletBits = 12, kFileBits = 20, kOffsetBits = 32;

// Nothing if it does not fit, as after a million files; such a page is not remembered.
std::optional<uint64_t> ReferenceOf(uint32_t tablet, const store::RecordLocator& record) {
  if (tablet >> kTabletBits != 0 || record.file >> kFileBits != 0 || record.offset >> kOffsetBits != 0) {
    return std::nullopt;
  }
  return uint64_t{tablet} << (kFileBits + kOffsetBits) | uint64_t{record.file} << kOffsetBits | record.offset;
}

}  // namespace

Result<std::unique_ptr<NearCopies>> NearCopies::Create(uint64_t memory_bytes,
                                                       const std::vector<std::string>& archives) {
  CRV_ASSIGN(dedup::NearCopyTable table, dedup::NearCopyTable::Create(memory_bytes));
  std::unique_ptr<NearCopies> copies(new NearCopies(std::move(table)));
  for (const std::string& folder : archives) {
    copies->archives_.push_back(std::make_unique<store::ArchiveReader>(folder));
  }
  return copies;
}

std::optional<NearCopies::Copy> NearCopies::Enter(uint64_t simhash, const std::string& url,
                                                  Reading* reading) {
  std::optional<dedup::NearCopyTable::Copy> found;
  {
    const MutexLock lock(mu_);
    found = table_.Find(simhash);
    const Page* nearest = nullptr;
    int distance = found ? found->distance : dedup::NearCopyTable::kDistance + 1;
    for (const Page& page : reading_) {
      const int to_page = dedup::HammingDistance(page.simhash, simhash);
      if (page.url == url || to_page >= distance) continue;
      nearest = &page;
      distance = to_page;
    }
    if (nearest != nullptr) return Copy{nearest->url, distance};
    if (!found) {
      reading_.push_back({++last_number_, simhash, url});
      reading->copies_ = this;
      reading->number_ = last_number_;
      return std::nullopt;
    }
  }
  const uint64_t tablet = found->reference >> (kFileBits + kOffsetBits);
  if (tablet >= archives_.size()) return std::nullopt;
  const auto file = static_cast<uint32_t>(found->reference >> kOffsetBits & ((1u << kFileBits) - 1));
  const uint64_t offset = found->reference & ((uint64_t{1} << kOffsetBits) - 1);
  auto copy = archives_[tablet]->UrlAt(file, offset);
  // A record that was erased says nothing any more; and a page that is fetched again finds itself.
  if (!copy.ok() || *copy == url) return std::nullopt;
  return Copy{*std::move(copy), found->distance};
}

std::optional<uint64_t> NearCopies::TakeReading(uint64_t number) {
  const auto page = std::find_if(reading_.begin(), reading_.end(),
                                 [number](const Page& one) { return one.number == number; });
  if (page == reading_.end()) return std::nullopt;
  const uint64_t simhash = page->simhash;
  reading_.erase(page);
  return simhash;
}

void NearCopies::Leave(uint64_t number) {
  const MutexLock lock(mu_);
  (void)TakeReading(number);
}

void NearCopies::Remember(uint64_t number, uint64_t reference) {
  const MutexLock lock(mu_);
  if (const auto simhash = TakeReading(number)) table_.Add(*simhash, reference);
}

uint64_t NearCopies::MemoryBytes() const {
  const MutexLock lock(mu_);
  return table_.MemoryBytes();
}

NearCopies::Reading::~Reading() {
  if (copies_ != nullptr) copies_->Leave(number_);
}

void NearCopies::Reading::Archived(uint32_t tablet, const store::RecordLocator& record) {
  if (copies_ == nullptr) return;
  if (const auto reference = ReferenceOf(tablet, record)) copies_->Remember(number_, *reference);
}

}  // namespace crivello::crawl
