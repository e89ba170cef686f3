// SPDX-License-Identifier: Apache-2.0
// The trap memory as a file: docs/formats/trap-memory.md.
#include <algorithm>
#include <functional>
#include <iterator>
#include <set>
#include <span>
#include <utility>

#include "base/file_format.h"
#include "policy/traps.h"

namespace crivello::policy {
namespace {

// More than any host has: a bound before allocating memory.
constexpr uint64_t kMaxItems = TrapMemory::kMaxHostBytes / sizeof(uint32_t);

uint64_t Packed(const std::pair<uint32_t, uint32_t>& pair) {
  return uint64_t{pair.first} << 32 | pair.second;
}
std::pair<uint32_t, uint32_t> Unpacked(uint64_t word) {
  return {static_cast<uint32_t>(word >> 32), static_cast<uint32_t>(word)};
}

// Whether the keys of a vector are strictly increasing, as searching needs.
template <typename T>
bool Rises(const std::vector<T>& items) {
  return std::adjacent_find(items.begin(), items.end(), std::greater_equal<T>()) == items.end();
}

}  // namespace

Status TrapMemory::Save(const std::string& path, FileSystem& fs) const {
  ImageWriter image;
  {
    MutexLock lock(mu_);
    image.Word(hosts_.size());
    for (const Host& host : hosts_) {
      image.Word(host.name);
      image.Word(host.calendars.size());
      for (const auto& calendar : host.calendars) image.Word(Packed(calendar));
      image.Word(host.sessions.size());
      for (const uint32_t session : host.sessions) image.Word(session);
      image.Word(host.facets.size());
      for (const auto& facet : host.facets) image.Word(Packed(facet));
    }
  }
  return WriteImage(path, kFileKind, image.bytes(), fs);
}

Status TrapMemory::Restore(Bytes image) {
  ImageReader reader(image, "trap memory");
  CRV_ASSIGN(const uint64_t count, reader.WordAtMost(image.size() / sizeof(uint64_t), "the number of hosts"));
  std::list<Host> hosts;
  const auto words = [&reader]() -> Result<std::span<const uint64_t>> {
    CRV_ASSIGN(const uint64_t size, reader.WordAtMost(kMaxItems, "the items of a host"));
    return reader.Words(size);
  };
  for (uint64_t i = 0; i < count; i++) {
    Host& host = hosts.emplace_back();
    CRV_ASSIGN(host.name, reader.Word());
    CRV_ASSIGN(const auto calendars, words());
    for (const uint64_t word : calendars) host.calendars.push_back(Unpacked(word));
    CRV_ASSIGN(const auto sessions, words());
    for (const uint64_t word : sessions) host.sessions.push_back(static_cast<uint32_t>(word));
    CRV_ASSIGN(const auto facets, words());
    for (const uint64_t word : facets) host.facets.push_back(Unpacked(word));
    if (!Rises(host.calendars) || !Rises(host.sessions) || !Rises(host.facets)) {
      return reader.Damaged("items out of order");
    }
  }
  CRV_TRY(reader.Finish());
  std::set<uint64_t> names;
  for (const Host& host : hosts) {
    if (!names.insert(host.name).second) return reader.Damaged("a host twice");
  }
  MutexLock lock(mu_);
  hosts_.clear();
  by_name_.clear();
  bytes_ = 0;
  // Starting with the least recently used, which a smaller budget forgets.
  while (!hosts.empty()) {
    const auto last = std::prev(hosts.end());
    hosts_.splice(hosts_.begin(), hosts, last);
    by_name_[hosts_.front().name] = hosts_.begin();
    KeepBudget();
  }
  return Status::Ok();
}

Status TrapMemory::Load(const std::string& path) {
  CRV_ASSIGN(const FormatFile file, FormatFile::Open(path, kFileKind));
  return Restore(file.payload()).WithContext(path);
}

}  // namespace crivello::policy
