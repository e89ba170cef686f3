// SPDX-License-Identifier: Apache-2.0
#include "succinct/term_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>

namespace crivello::succinct {
namespace {

constexpr size_t kMapBlock = 32;  // as in StaticFunction

StaticFunctionOptions ForRanks(StaticFunctionOptions options) {
  options.bits = 0;  // determined by the largest rank
  return options;
}

}  // namespace

TermMapBuilder::TermMapBuilder(TermMapOptions options)
    : options_(std::move(options)),
      function_(ForRanks(options_.function)),
      signatures_(std::clamp(options_.signature_bits, 1u, kMaxSignatureBits)) {}

Status TermMapBuilder::Add(std::string_view term) {
  if (size() != 0 && term <= last_) {
    return Status::InvalidArgument(
        fmt::format("term map: terms must increase, but term {} is {:?}, after {:?}", size(),
                    fmt::string_view(term.data(), term.size()), last_));
  }
  last_ = term;
  const Signature128 signature = function_.Sign(term);
  if (options_.signature_bits != 0) signatures_.Add(FreeSignature(signature, signatures_.width()));
  return function_.Add(signature, size());
}

Result<ImageWriter> TermMapBuilder::Build() const {
  if (options_.signature_bits > kMaxSignatureBits) {
    return Status::InvalidArgument(
        fmt::format("term map: invalid signature width of {} bits: the limit is {}", options_.signature_bits,
                    kMaxSignatureBits));
  }
  CRV_ASSIGN(const ImageWriter function, function_.Build());
  ImageWriter image;
  image.Word(options_.signature_bits);
  if (options_.signature_bits != 0) signatures_.AppendTo(image);
  image.Nested(function);
  return image;
}

Status TermMapBuilder::WriteFile(const std::string& path, FileSystem& fs) const {
  CRV_ASSIGN(const ImageWriter image, Build());
  return WriteImage(path, TermMap::kFileKind, image.bytes(), fs);
}

Result<TermMap> TermMap::FromImage(Bytes image) {
  ImageReader reader(image, "term map");
  CRV_ASSIGN(const uint64_t signature_bits, reader.WordAtMost(kMaxSignatureBits, "bits of a signature"));
  CompactArray signatures;
  if (signature_bits != 0) {
    CRV_ASSIGN(signatures, CompactArray::ReadFrom(reader));
  }
  CRV_ASSIGN(const Bytes nested, reader.Nested());
  CRV_ASSIGN(StaticFunction function, StaticFunction::FromImage(nested));
  CRV_TRY(reader.Finish());
  TermMap map(std::move(function));
  if (signature_bits != 0 && (signatures.width() != signature_bits || signatures.size() != map.size())) {
    return reader.Damaged(fmt::format("{} signatures of {} bits for {} terms with {}", signatures.size(),
                                      signatures.width(), map.size(), signature_bits));
  }
  map.signature_bits_ = static_cast<unsigned>(signature_bits);
  map.signatures_ = signatures;
  map.image_bytes_ = image.size();
  return map;
}

void TermMap::RankBatch(std::span<const std::string_view> terms, std::span<int64_t> out) const {
  assert(out.size() >= terms.size());
  std::array<Signature128, kMapBlock> signatures;
  std::array<uint64_t, kMapBlock> ranks;
  for (size_t at = 0; at < terms.size(); at += kMapBlock) {
    const size_t count = std::min(kMapBlock, terms.size() - at);
    for (size_t i = 0; i < count; i++) signatures[i] = function_.Sign(terms[at + i]);
    function_.GetBatch(std::span<const Signature128>(signatures).first(count), ranks);
    if (signature_bits_ != 0) {
      for (size_t i = 0; i < count; i++) {
        if (ranks[i] < size()) signatures_.Prefetch(ranks[i]);
      }
    }
    for (size_t i = 0; i < count; i++) {
      const auto rank = Checked(ranks[i], signatures[i]);
      out[at + i] = rank.has_value() ? static_cast<int64_t>(*rank) : kAbsent;
    }
  }
}

Description TermMap::Describe() const {
  Description description = {{"terms", size()},
                             {"signature-bits", uint64_t{signature_bits_}},
                             {"bits-per-term", 8 * static_cast<double>(image_bytes_) /
                                                   static_cast<double>(std::max<uint64_t>(size(), 1))}};
  for (Field& field : function_.Describe()) {
    field.name = "function-" + field.name;
    description.push_back(std::move(field));
  }
  return description;
}

}  // namespace crivello::succinct
