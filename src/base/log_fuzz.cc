// SPDX-License-Identifier: Apache-2.0
// A log with any tail is read or rejected; once opened for writing, new records can be read back.

#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/atomic_file.h"
#include "base/log.h"
#include "base/test_support.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello;
  static const TemporaryFolder folder;
  const std::string path = folder / "log";
  constexpr FileKind kKind = {.name = "fuzz-log", .version = 1};
  const auto header = EncodeFileHeader(kKind);
  // An even first byte keeps a valid header, so that the records are reached.
  std::string file;
  if (size > 0 && data[0] % 2 == 0) file = AsText(header);
  file.append(reinterpret_cast<const char*>(data), size);
  if (!WriteFileAtomically(path, AsBytes(file)).ok()) std::abort();
  uint64_t before = 0;
  auto log = LogWriter::Open(path, kKind, [&](Bytes) { return before++, Status::Ok(); });
  if (!log.ok()) return 0;
  if (!log->writer.Append(AsBytes("one more")).ok() || !log->writer.Sync().ok()) std::abort();
  std::string last;
  auto after = ReadLog(path, kKind, [&](Bytes record) { return last = AsText(record), Status::Ok(); });
  if (!after.ok() || after->records != before + 1 || last != "one more") std::abort();
  return 0;
}
