// SPDX-License-Identifier: Apache-2.0
// Takes any bytes as a TREC file: the reader must end, and what can be written must read back the same.

#include <cstdint>
#include <cstdlib>

#include "store/trec.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello::store;
  const std::string_view file(reinterpret_cast<const char*>(data), size);
  TrecReader reader(file);
  uint64_t next = 0;
  while (const auto document = reader.Next()) {
    if (document->offset < next) std::abort();
    next = document->offset + 1;
    for (const TrecUnsafe unsafe : {TrecUnsafe::kRefuse, TrecUnsafe::kEscape}) {
      std::string written;
      if (!AppendTrec(*document, unsafe, &written).ok()) continue;
      TrecReader again(written);
      const auto read = again.Next();
      if (!read || again.Next() || read->docno != document->docno || read->url_line != document->url_line)
        std::abort();
      if (unsafe == TrecUnsafe::kRefuse && read->content != document->content) std::abort();
    }
  }
  return 0;
}
