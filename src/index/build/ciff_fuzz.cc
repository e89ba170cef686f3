// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as a CIFF file: the result is a segment, and a round trip through export changes nothing.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "index/build/ciff.h"

namespace crivello::index {
namespace {

Result<std::shared_ptr<const Segment>> Import(std::string_view file) {
  MemorySink sink;
  const auto imported = ImportCiff(AsBytes(file), {}, sink);
  if (!imported.ok()) return imported.status();
  auto segment = Segment::FromParts(std::move(sink).Release());
  if (!segment.ok()) std::abort();
  return segment;
}

std::string Export(const std::shared_ptr<const Segment>& segment) {
  std::string file;
  const auto exported = ExportCiff(Snapshot({{segment, nullptr}}, 1, "plain"), {}, [&file](Bytes bytes) {
    file += AsText(bytes);
    return Status::Ok();
  });
  if (!exported.ok()) std::abort();
  return file;
}

}  // namespace
}  // namespace crivello::index

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto segment = crivello::index::Import({reinterpret_cast<const char*>(data), size});
  if (!segment.ok()) return 0;
  const std::string once = crivello::index::Export(*segment);
  const auto again = crivello::index::Import(once);
  if (!again.ok() || crivello::index::Export(*again) != once) std::abort();
  return 0;
}
