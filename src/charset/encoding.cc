// SPDX-License-Identifier: Apache-2.0
#include "charset/encoding.h"

#include <algorithm>

#include "base/ascii.h"
#include "charset/encoding_tables.h"

namespace crivello::charset {

std::string_view EncodingName(Encoding encoding) {
  return internal::kEncodingNames[static_cast<size_t>(encoding)];
}

std::optional<Encoding> EncodingForLabel(std::string_view label) {
  label = TrimAsciiSpace(label);
  std::array<char, 32> lower;  // the longest label has 19 characters
  if (label.size() > lower.size()) return std::nullopt;
  std::transform(label.begin(), label.end(), lower.begin(), AsciiLower);
  const std::string_view key(lower.data(), label.size());
  const auto& labels = internal::kEncodingLabels;
  const auto found = std::lower_bound(labels.begin(), labels.end(), key,
                                      [](const auto& entry, std::string_view k) { return entry.label < k; });
  if (found == labels.end() || found->label != key) return std::nullopt;
  return found->encoding;
}

}  // namespace crivello::charset
