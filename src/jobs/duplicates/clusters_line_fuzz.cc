// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as a name in the lists of the duplicates job: what is accepted is written the same again,
// except for the format of its numbers.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "jobs/duplicates/clusters_file.h"
#include "jobs/duplicates/page_texts.h"

namespace {

using namespace crivello::jobs;

void RequireLine(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (const auto page = ParseClusterLine(bytes); page.ok()) {
    const std::string line = LineOfCluster(*page);
    const auto again = ParseClusterLine(line);
    RequireLine(again.ok() && again->row_key == page->row_key &&
                again->representative == page->representative && again->text_digest == page->text_digest &&
                again->members == page->members);
  }
  if (const auto page = ParsePageName(bytes); page.ok()) {
    const std::string name = NameOfPage(page->row_key, page->text_digest);
    const auto again = ParsePageName(name);
    RequireLine(again.ok() && again->row_key == page->row_key && again->text_digest == page->text_digest);
  }
  return 0;
}
