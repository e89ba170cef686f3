// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "jobs/links/links_file.h"

namespace crivello::jobs {
namespace {

// Whatever the image, nothing outside it is read, and every iteration ends.
void Walk(std::string_view image, std::string_view target) {
  std::vector<uint64_t> words((image.size() + 7) / 8);
  if (!image.empty()) std::memcpy(words.data(), image.data(), image.size());
  const auto file = LinksFile::FromImage(std::as_bytes(std::span(words)).first(image.size()));
  if (!file.ok()) return;
  file->Describe();
  const bool sound = file->Check().ok();
  uint64_t links = 0;
  LinksCursor all(*file);
  for (; all.Next(); links++) {
    if (all.link().flags > link_flag::kAll) std::abort();
  }
  if (sound && links != file->links()) std::abort();
  LinksCursor sought(*file);
  const bool found = sought.SeekTo(target);
  if (found && sought.link().target < target) std::abort();
  if (sound && !sought.status().ok()) std::abort();
}

}  // namespace
}  // namespace crivello::jobs

// The first byte is the length of the origin; the rest is one or two blocks of arbitrary records.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello::jobs;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  Walk(input, input.substr(0, size / 2));
  if (size < 4) return 0;
  const size_t origin = std::min<size_t>(data[0], size - 4);
  const std::string_view blocks = input.substr(4 + origin);
  LinksTail tail = {
      .origin = std::string(input.substr(4, origin)), .offsets = {}, .records = data[1], .targets = data[2]};
  if (origin == 0)
    tail.origin = LinksOrigin{.tablet = {}, .sources = {{.tablet = {}, .sequence = 5}}}.Encode();
  std::string image;
  const size_t cut = std::min<size_t>(data[3], blocks.size());
  for (const std::string_view block : {blocks.substr(0, cut), blocks.substr(cut)}) {
    if (block.empty()) continue;
    tail.offsets.push_back(image.size());
    image += SealLinksBlock(tail.offsets.size() - 1, std::max<uint64_t>(data[1], 1), block);
  }
  image += SealLinksTail(tail, image.size());
  Walk(image, "b");
  return 0;
}
