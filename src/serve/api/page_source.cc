// SPDX-License-Identifier: Apache-2.0
#include "serve/api/page_source.h"

namespace crivello::serve {

std::vector<bool> PageSource::Archived(const std::vector<std::string>& urls) {
  std::vector<bool> archived;
  for (const std::string& url : urls) {
    const auto record = Record(url);
    archived.push_back(record.ok() && !record->noarchive);
  }
  return archived;
}

}  // namespace crivello::serve
