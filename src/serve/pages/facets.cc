// SPDX-License-Identifier: Apache-2.0
#include "serve/pages/facets.h"

#include <fmt/format.h>

#include <algorithm>

namespace crivello::serve {
namespace {

// The languages that the detector distinguishes and pages state, by their frequency on the Web.
const std::vector<std::string_view> kLanguages = {
    "en", "ru", "de", "es", "fr", "ja", "pt", "tr", "it", "fa", "nl", "pl", "zh", "vi", "id", "cs",
    "ko", "uk", "ar", "el", "he", "sv", "ro", "hu", "th", "da", "sk", "fi", "bg", "sr", "hr", "no",
    "nb", "nn", "lt", "sl", "ca", "et", "lv", "hi", "bn", "la", "eo", "eu", "gl", "is", "ga", "cy",
    "mk", "sq", "ms", "ka", "hy", "az", "kk", "be", "af", "sw", "ta", "te", "ur", "mt", "lb"};
const std::vector<std::string_view> kTypes = {"html", "pdf", "text", "markdown",
                                              "docx", "odt", "epub", "rtf"};

}  // namespace

uint64_t Facets::Count(const std::string& query) {
  const auto answer =
      searcher_.Search({.query = query, .count = 0, .total = search::TotalKind::kExact, .snippets = false});
  return answer.ok() ? answer->total : 0;
}

std::vector<Facet> Facets::Count(std::string_view field, const std::vector<std::string_view>& values) {
  std::vector<Facet> facets;
  for (const std::string_view value : values) {
    const uint64_t documents = Count(fmt::format("{}:{}", field, value));
    if (documents > 0) facets.push_back({std::string(value), documents});
  }
  std::stable_sort(facets.begin(), facets.end(),
                   [](const Facet& a, const Facet& b) { return a.documents > b.documents; });
  return facets;
}

Facets::Values Facets::Get() {
  const MonotonicTime now = clock_.Now();
  {
    MutexLock lock(mutex_);
    if (values_ && now - made_ < kKept) return *values_;
  }
  // Not under the lock: two threads may count at the same time, and neither waits for the other.
  Values values;
  values.documents = Count("*");
  values.languages = Count("lang", kLanguages);
  values.types = Count("type", kTypes);
  MutexLock lock(mutex_);
  values_ = values;
  made_ = now;
  return values;
}

}  // namespace crivello::serve
