// SPDX-License-Identifier: Apache-2.0
#include "succinct/approximate_dictionary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

namespace crivello::succinct {
namespace {

constexpr size_t kDictionaryBlock = 32;  // as in StaticFunction

StaticFunctionOptions ForSignatures(StaticFunctionOptions options, unsigned signature_bits) {
  options.bits = signature_bits;
  return options;
}

}  // namespace

ApproximateDictionaryBuilder::ApproximateDictionaryBuilder(ApproximateDictionaryOptions options)
    : signature_bits_(options.signature_bits),
      function_(ForSignatures(std::move(options.function), options.signature_bits)) {}

Status ApproximateDictionaryBuilder::Add(std::string_view key) {
  CRV_TRY(CheckOptions());
  const Signature128 signature = function_.Sign(key);
  return function_.Add(signature, FreeSignature(signature, signature_bits_));
}

Status ApproximateDictionaryBuilder::CheckOptions() const {
  if (signature_bits_ >= 1 && signature_bits_ <= kMaxSignatureBits) return Status::Ok();
  return Status::InvalidArgument(
      fmt::format("approximate dictionary: invalid signature width of {} bits: expected 1 to {}",
                  signature_bits_, kMaxSignatureBits));
}

Result<ImageWriter> ApproximateDictionaryBuilder::Build() const {
  CRV_TRY(CheckOptions());
  return function_.Build();
}

Status ApproximateDictionaryBuilder::WriteFile(const std::string& path, FileSystem& fs) const {
  CRV_ASSIGN(const ImageWriter image, Build());
  return WriteImage(path, ApproximateDictionary::kFileKind, image.bytes(), fs);
}

Result<ApproximateDictionary> ApproximateDictionary::FromImage(Bytes image) {
  auto function = StaticFunction::FromImage(image);
  if (!function.ok()) return function.status().WithContext("approximate dictionary");
  return ApproximateDictionary(std::move(function).value());
}

double ApproximateDictionary::error() const {
  return size() == 0 ? 0 : std::ldexp(1, -static_cast<int>(function_.bits()));
}

void ApproximateDictionary::ContainsBatch(std::span<const std::string_view> keys, std::span<bool> out) const {
  assert(out.size() >= keys.size());
  std::array<Signature128, kDictionaryBlock> signatures;
  std::array<uint64_t, kDictionaryBlock> values;
  for (size_t at = 0; at < keys.size(); at += kDictionaryBlock) {
    const size_t count = std::min(kDictionaryBlock, keys.size() - at);
    for (size_t i = 0; i < count; i++) signatures[i] = function_.Sign(keys[at + i]);
    function_.GetBatch(std::span<const Signature128>(signatures).first(count), values);
    for (size_t i = 0; i < count; i++)
      out[at + i] = size() != 0 && values[i] == FreeSignature(signatures[i], function_.bits());
  }
}

Description ApproximateDictionary::Describe() const {
  Description description = function_.Describe();
  description.push_back({"error", error()});
  return description;
}

}  // namespace crivello::succinct
