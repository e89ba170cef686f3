// SPDX-License-Identifier: Apache-2.0
// Takes any bytes as one of our files: opened only if undamaged, otherwise rejected.

#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/atomic_file.h"
#include "base/file_format.h"
#include "base/test_support.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello;
  static const TemporaryFolder folder;
  const std::string path = folder / "file";
  const Bytes bytes = AsBytes({reinterpret_cast<const char*>(data), size});
  if (!WriteFileAtomically(path, bytes).ok()) std::abort();
  const auto file = FormatFile::OpenAny(path);
  if (!file.ok() && file.status().code() != StatusCode::kCorruption) std::abort();
  FormatFile::OpenAny(path, {.verify = Verify::kEnvelope}).status().IgnoreError();
  return 0;
}
