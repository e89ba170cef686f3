// SPDX-License-Identifier: Apache-2.0
// Topics, runs and judgements from anywhere: what is read and written again reads the same.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "search/evaluation/evaluation.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello::search;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static_cast<void>(ReadTopics(text).ok());
  if (const auto judgements = ReadJudgements(text); judgements.ok()) {
    const auto again = ReadJudgements(WriteJudgements(*judgements));
    if (!again.ok() || *again != *judgements) std::abort();
  }
  if (const auto run = ReadRun(text); run.ok()) {
    const auto again = ReadRun(WriteRun(*run, "fuzz"));
    if (!again.ok() || again->size() != run->size()) std::abort();
    for (const auto& [topic, documents] : *run) {
      const auto found = again->find(topic);
      if (found == again->end() || found->second.size() != documents.size()) std::abort();
    }
  }
  return 0;
}
