// SPDX-License-Identifier: Apache-2.0
#include "succinct/bloom_filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>

namespace crivello::succinct {
namespace {

constexpr size_t kBloomBlock = 32;  // keys whose cache misses overlap

constexpr uint64_t kMaxBits = uint64_t{1} << 48;

std::array<uint64_t, BloomHeader::kWords> ToWords(const BloomHeader& header) {
  return {header.shape.bits, header.shape.probes, header.seed, header.adds, header.expected_keys};
}

Result<BloomHeader> ReadHeader(ImageReader& reader) {
  BloomHeader header;
  CRV_ASSIGN(header.shape.bits, reader.WordAtMost(kMaxBits, "number of bits"));
  CRV_ASSIGN(const uint64_t probes, reader.WordAtMost(BloomShape::kMaxProbes, "number of probes"));
  CRV_ASSIGN(header.seed, reader.Word());
  CRV_ASSIGN(header.adds, reader.Word());
  CRV_ASSIGN(header.expected_keys, reader.Word());
  for (int i = 0; i < 3; i++) CRV_TRY(reader.WordAtMost(0, "reserved word"));
  if (probes == 0) return reader.Damaged("zero probes");
  header.shape.probes = static_cast<unsigned>(probes);
  if (header.shape.bits == 0 || header.shape.bits % BloomShape::kLineBits != 0)
    return reader.Damaged(fmt::format("{} bits, not a positive multiple of 512", header.shape.bits));
  return header;
}

}  // namespace

template <typename Layout>
Result<BasicBloomFilter<Layout>> BasicBloomFilter<Layout>::FromImage(Bytes image) {
  ImageReader reader(image, kFileKind.name);
  CRV_ASSIGN(const BloomHeader header, ReadHeader(reader));
  CRV_ASSIGN(const auto words, reader.Words(header.shape.bits / 64));
  CRV_TRY(reader.Finish());
  return BasicBloomFilter(header, words.data());
}

template <typename Layout>
void BasicBloomFilter<Layout>::ContainsBatch(std::span<const Signature128> signatures,
                                             std::span<bool> out) const {
  assert(out.size() >= signatures.size());
  for (size_t at = 0; at < signatures.size(); at += kBloomBlock) {
    const auto block = signatures.subspan(at, std::min(kBloomBlock, signatures.size() - at));
    for (const Signature128& signature : block) Layout::Prefetch(header_.shape, signature, words_);
    for (size_t i = 0; i < block.size(); i++) out[at + i] = Contains(block[i]);
  }
}

template <typename Layout>
void BasicBloomFilter<Layout>::ContainsBatch(std::span<const std::string_view> keys,
                                             std::span<bool> out) const {
  assert(out.size() >= keys.size());
  std::array<Signature128, kBloomBlock> signatures;
  for (size_t at = 0; at < keys.size(); at += kBloomBlock) {
    const size_t count = std::min(kBloomBlock, keys.size() - at);
    for (size_t i = 0; i < count; i++) signatures[i] = Sign(keys[at + i]);
    ContainsBatch(std::span<const Signature128>(signatures).first(count), out.subspan(at, count));
  }
}

template <typename Layout>
double BasicBloomFilter<Layout>::Fill() const {
  uint64_t ones = 0;
  for (uint64_t i = 0; i < bits() / 64; i++) ones += static_cast<uint64_t>(std::popcount(words_[i]));
  return static_cast<double>(ones) / static_cast<double>(bits());
}

template <typename Layout>
Description BasicBloomFilter<Layout>::Describe() const {
  const double keys = static_cast<double>(header_.expected_keys);
  return {{"bits", bits()},
          {"probes", uint64_t{probes()}},
          {"seed", header_.seed},
          {"adds", adds()},
          {"expected-keys", header_.expected_keys},
          {"bits-per-expected-key", static_cast<double>(bits()) / std::max(keys, 1.0)},
          {"error-at-expected-keys", Layout::ErrorFor(header_.shape, keys)},
          {"fill", Fill()},
          {"estimated-error", EstimatedError()}};
}

template <typename Layout>
Result<BasicMutableBloomFilter<Layout>> BasicMutableBloomFilter<Layout>::Create(BloomOptions options) {
  if (options.expected_keys == 0)
    return Status::InvalidArgument("Bloom filter: invalid number of keys: expected at least 1");
  if (!(options.error >= Layout::kLeastError && options.error <= BloomShape::kMostError)) {
    return Status::InvalidArgument(fmt::format("Bloom filter: invalid error rate {}: expected {} to {}",
                                               options.error, Layout::kLeastError, BloomShape::kMostError));
  }
  constexpr uint64_t kMaxKeys = kMaxBits / 128;  // both layouts take less than 128 bits per key
  if (options.expected_keys > kMaxKeys) {
    return Status::InvalidArgument(
        fmt::format("Bloom filter: too many keys: {}; the limit is {}", options.expected_keys, kMaxKeys));
  }
  return BasicMutableBloomFilter({.shape = Layout::For(options.expected_keys, options.error),
                                  .seed = options.seed,
                                  .expected_keys = options.expected_keys});
}

template <typename Layout>
Result<BasicMutableBloomFilter<Layout>> BasicMutableBloomFilter<Layout>::FromImage(Bytes image) {
  CRV_ASSIGN(const auto filter, BasicBloomFilter<Layout>::FromImage(image));
  BasicMutableBloomFilter copy(filter.header_);
  std::memcpy(copy.lines_.data(), filter.words_, filter.bits() / 8);
  return copy;
}

template <typename Layout>
Status BasicMutableBloomFilter<Layout>::Merge(const BasicBloomFilter<Layout>& other) {
  const BloomShape& shape = other.header_.shape;
  if (shape.bits != header_.shape.bits || shape.probes != header_.shape.probes ||
      other.header_.seed != header_.seed) {
    return Status::InvalidArgument(
        fmt::format("Bloom filter: cannot merge filters with different parameters: {} bits, {} probes, seed "
                    "{} and {} bits, {} probes, seed {}",
                    header_.shape.bits, header_.shape.probes, header_.seed, shape.bits, shape.probes,
                    other.header_.seed));
  }
  const uint64_t* from = other.words_;
  for (Line& line : lines_) {
    for (uint64_t& word : line.words) word |= *from++;
  }
  header_.adds += other.adds();
  return Status::Ok();
}

template <typename Layout>
ImageWriter BasicMutableBloomFilter<Layout>::Build() const {
  ImageWriter image;
  for (const uint64_t word : ToWords(header_)) image.Word(word);
  image.RawBytes(std::as_bytes(std::span(lines_)));
  return image;
}

template <typename Layout>
Status BasicMutableBloomFilter<Layout>::WriteFile(const std::string& path, FileSystem& fs) const {
  CRV_ASSIGN(auto file, FormatFileWriter::Create(path, Layout::kFileKind, fs));
  const auto header = ToWords(header_);
  CRV_TRY(file.Append(std::as_bytes(std::span(header))));
  CRV_TRY(file.Append(std::as_bytes(std::span(lines_))));
  return file.Finish();
}

template class BasicBloomFilter<BloomLayout>;
template class BasicBloomFilter<BlockedBloomLayout>;
template class BasicMutableBloomFilter<BloomLayout>;
template class BasicMutableBloomFilter<BlockedBloomLayout>;

}  // namespace crivello::succinct
