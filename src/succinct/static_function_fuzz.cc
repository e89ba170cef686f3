// SPDX-License-Identifier: Apache-2.0
// Takes any bytes as the image of a static function: opening and lookups stay inside. And as the keys for a
// builder: every value is returned, with every construction.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "succinct/approximate_dictionary.h"
#include "succinct/static_function.h"
#include "succinct/static_function_builder.h"

namespace crivello::succinct {
namespace {

void ReadAsImage(const uint8_t* data, size_t size) {
  std::vector<uint64_t> words(size / 8);
  if (!words.empty()) std::memcpy(words.data(), data, words.size() * 8);
  const auto f = StaticFunction::FromImage(std::as_bytes(std::span(words)));
  if (!f.ok()) return;
  std::vector<Signature128> signatures;
  for (uint64_t i = 0; i < 48; i++) signatures.push_back(f->Sign(std::to_string(i)));
  signatures.push_back({.low = 0, .high = 0});
  signatures.push_back({.low = ~uint64_t{0}, .high = ~uint64_t{0}});
  std::vector<uint64_t> out(signatures.size());
  f->GetBatch(signatures, out);
  for (size_t i = 0; i < out.size(); i++) {
    if (f->Get(signatures[i]) != out[i]) std::abort();
  }
  const auto dictionary = ApproximateDictionary::FromImage(std::as_bytes(std::span(words)));
  if (!dictionary.ok() || dictionary->Describe().empty()) std::abort();
  (void)dictionary->Contains("key");
}

void RoundTrip(const uint8_t* data, size_t size) {
  if (size < 2) return;
  StaticFunctionOptions options;
  options.graph = static_cast<GraphKind>(2 + data[0] % 3);
  options.compacted = (data[0] & 0x80) != 0;
  options.max_shard_keys = 1 + data[1];
  StaticFunctionBuilder builder(options);
  std::set<std::string> keys;
  for (size_t at = 2; at + 2 <= size; at += 2) keys.insert(std::string(data + at, data + at + 2));
  const auto value = [](const std::string& key) { return Hash64(key) >> (key[0] & 63); };
  for (const std::string& key : keys) {
    if (!builder.Add(key, value(key)).ok()) std::abort();
  }
  const auto image = builder.Build();
  if (!image.ok()) return;  // more shards than are possible
  const auto f = StaticFunction::FromImage(image->bytes());
  if (!f.ok()) std::abort();
  for (const std::string& key : keys) {
    if (f->Get(key) != value(key)) std::abort();
  }
}

}  // namespace
}  // namespace crivello::succinct

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  crivello::succinct::ReadAsImage(data, size);
  crivello::succinct::RoundTrip(data, size);
  return 0;
}
