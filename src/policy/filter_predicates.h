// SPDX-License-Identifier: Apache-2.0
// The predicates of the filter language: for filter.cc and filter_parser.cc.
#pragma once

#include <cstdint>
#include <string_view>

#include "policy/filter.h"

namespace crivello::policy {

enum class Filter::Op : uint8_t {
  kHost,
  kHostEndsWith,
  kDomain,
  kScheme,
  kPort,
  kPathStartsWith,
  kPathContains,
  kPathEndsWith,
  kUrlLike,
  kQuery,
  kParameter,
  kDepth,
  kUrlLength,
  kSegments,
  kSameHost,
  kSameDomain,
  kStatus,
  kType,
  kLength,
  kLanguage,
  kTextLength,
  kDuplicate,
  kSurt,
};

enum class FilterArguments : uint8_t { kNone, kWords, kNumbers };
// How a word is normalised when it is parsed.
enum class FilterWords : uint8_t { kAsIs, kLower, kHost };

constexpr unsigned PointBit(FilterPoint point) { return 1u << static_cast<unsigned>(point); }
constexpr unsigned kEveryPoint = (1u << kFilterPoints) - 1;
constexpr unsigned kAnswered =
    PointBit(FilterPoint::kParse) | PointBit(FilterPoint::kFollow) | PointBit(FilterPoint::kStore);
constexpr unsigned kPageRead = PointBit(FilterPoint::kFollow) | PointBit(FilterPoint::kStore);

}  // namespace crivello::policy
