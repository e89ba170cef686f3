// SPDX-License-Identifier: Apache-2.0
#include "dedup/seen_texts.h"

#include <bit>

namespace crivello::dedup {
namespace {

// A text anywhere, and a text on a host, are separate keys of one dictionary.
Signature128 KeyOf(uint64_t digest) {
  return {.low = Mix64(digest + 0x632be59bd9b4e019), .high = Mix64(digest)};
}
Signature128 KeyOf(uint64_t digest, uint64_t host_hash) {
  const uint64_t both = Mix64(digest) ^ Mix64(host_hash + 0xe220a8397b1dcdaf);
  return {.low = Mix64(both + 0x632be59bd9b4e019), .high = Mix64(both)};
}

// The error of one filter: each of the generations may err.
double FilterError(double error) { return error / static_cast<double>(SeenTexts::kGenerations); }

// How many keys fit into a filter of that many bytes with that error; 0 if not even one.
uint64_t KeysFor(uint64_t bytes, double error) {
  using Layout = succinct::BlockedBloomLayout;
  constexpr uint64_t kSample = 1 << 20;
  const double bits_per_key = static_cast<double>(Layout::For(kSample, error).bits) / kSample;
  auto keys = static_cast<uint64_t>(static_cast<double>(bytes) * 8 / bits_per_key);
  while (keys > 0 && Layout::For(keys, error).bits / 8 > bytes) keys -= keys / 1024 + 1;
  return keys;
}

}  // namespace

Result<succinct::MutableBlockedBloomFilter> SeenTexts::NewFilter() const {
  return succinct::MutableBlockedBloomFilter::Create(
      {.expected_keys = keys_, .error = FilterError(options_.error)});
}

Result<std::unique_ptr<SeenTexts>> SeenTexts::Create(Options options) {
  constexpr uint64_t kMostBytes = uint64_t{1} << 48;
  if (options.memory_bytes > kMostBytes ||
      !(FilterError(options.error) >= succinct::BlockedBloomLayout::kLeastError &&
        options.error <= succinct::BloomShape::kMostError)) {
    return Status::InvalidArgument("seen texts: memory or error rate out of range");
  }
  const uint64_t keys = KeysFor(options.memory_bytes / kGenerations, FilterError(options.error));
  if (keys < 2) return Status::InvalidArgument("seen texts: too little memory");
  std::unique_ptr<SeenTexts> seen(new SeenTexts(options, keys));
  CRV_ASSIGN(auto filter, seen->NewFilter());
  MutexLock lock(seen->mu_);
  seen->filters_.push_back(std::move(filter));
  return seen;
}

SeenTexts::Seen SeenTexts::Look(uint64_t digest, uint64_t host_hash) const {
  const Signature128 anywhere = KeyOf(digest), here = KeyOf(digest, host_hash);
  Seen seen;
  MutexLock lock(mu_);
  for (const auto& filter : filters_) {
    seen.anywhere = seen.anywhere || filter.Contains(anywhere);
    seen.on_this_host = seen.on_this_host || filter.Contains(here);
  }
  seen.on_this_host = seen.on_this_host && seen.anywhere;  // both were added: one alone is a false positive
  return seen;
}

void SeenTexts::AddKey(Signature128 key) {
  // A key that the newest filter already has takes no room in it.
  if (!filters_.front().Add(key)) added_++;
}

void SeenTexts::Add(uint64_t digest, uint64_t host_hash) {
  MutexLock lock(mu_);
  if (added_ + 2 > keys_) {
    auto filter = NewFilter();
    if (!filter.ok()) return;  // the same options worked for the others
    filters_.push_front(std::move(filter).value());
    if (filters_.size() > kGenerations) filters_.pop_back();
    added_ = 0;
  }
  AddKey(KeyOf(digest));
  AddKey(KeyOf(digest, host_hash));
}

Status SeenTexts::Save(const std::string& path, FileSystem& fs) const {
  MutexLock lock(mu_);
  CRV_ASSIGN(FormatFileWriter writer, FormatFileWriter::Create(path, kFileKind, fs));
  const auto word = [&](uint64_t value) { return writer.Append(std::as_bytes(std::span(&value, 1))); };
  CRV_TRY(word(options_.memory_bytes));
  CRV_TRY(word(std::bit_cast<uint64_t>(options_.error)));
  CRV_TRY(word(added_));
  CRV_TRY(word(filters_.size()));
  for (const auto& filter : filters_) {
    const ImageWriter image = filter.Build();
    CRV_TRY(word(image.bytes().size() / sizeof(uint64_t)));
    CRV_TRY(writer.Append(image.bytes()));
  }
  return writer.Finish();
}

Result<std::unique_ptr<SeenTexts>> SeenTexts::Load(const std::string& path, Options options) {
  CRV_ASSIGN(const FormatFile file, FormatFile::Open(path, kFileKind));
  CRV_ASSIGN(auto seen, Create(options));
  CRV_TRY(seen->Restore(file.payload()).WithContext(path));
  return seen;
}

Status SeenTexts::Restore(Bytes image) {
  ImageReader reader(image, "seen texts");
  CRV_ASSIGN(const uint64_t memory_bytes, reader.Word());
  CRV_ASSIGN(const uint64_t error, reader.Word());
  if (memory_bytes != options_.memory_bytes || error != std::bit_cast<uint64_t>(options_.error)) {
    return Status::Ok();
  }
  CRV_ASSIGN(const uint64_t added, reader.WordAtMost(keys_, "the number of keys"));
  CRV_ASSIGN(const uint64_t count, reader.WordAtMost(kGenerations, "the number of filters"));
  if (count == 0) return reader.Damaged("zero filters");
  MutexLock lock(mu_);
  const uint64_t bits = filters_.front().view().bits();
  std::deque<succinct::MutableBlockedBloomFilter> filters;
  for (uint64_t i = 0; i < count; i++) {
    CRV_ASSIGN(const Bytes nested, reader.Nested());
    CRV_ASSIGN(auto filter, succinct::MutableBlockedBloomFilter::FromImage(nested));
    if (filter.view().bits() != bits) return reader.Damaged("a filter of a different size");
    filters.push_back(std::move(filter));
  }
  CRV_TRY(reader.Finish());
  filters_ = std::move(filters);
  added_ = added;
  return Status::Ok();
}

uint64_t SeenTexts::MemoryBytes() const {
  MutexLock lock(mu_);
  uint64_t bytes = 0;
  for (const auto& filter : filters_) bytes += filter.view().bits() / 8;
  return bytes;
}

}  // namespace crivello::dedup
