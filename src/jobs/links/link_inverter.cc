// SPDX-License-Identifier: Apache-2.0
#include "jobs/links/link_inverter.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/external_sorter.h"
#include "index/tables/inlinks.h"
#include "jobs/links/link_record.h"
#include "jobs/links/links_file.h"
#include "jobs/links/links_folder.h"
#include "jobs/links/links_writer.h"
#include "web/page/links.h"
#include "web/url/row_key.h"

namespace crivello::jobs {
namespace {

static_assert(static_cast<uint8_t>(LinkKind::kRefresh) == static_cast<uint8_t>(web::LinkKind::kRefresh),
              "a new kind of link in a page needs a number here");

// The text of a link is truncated to what the index uses.
constexpr auto CutText = index::InlinksBuilder::Cut;

Status Stopped() { return Status::Unavailable("the job that inverts links was stopped"); }

// A record in sort order: the index of its target's tablet in two bytes, the target, a NUL, which no key
// contains, the source, a NUL, kind, flags, text.
class SortedLink {
 public:
  void Set(uint32_t slot, const LinkRecord& link) {
    bytes_.clear();
    bytes_ += static_cast<char>(slot >> 8);
    bytes_ += static_cast<char>(slot);
    bytes_ += link.target;
    bytes_ += '\0';
    bytes_ += link.source;
    bytes_ += '\0';
    bytes_ += static_cast<char>(link.kind);
    bytes_ += static_cast<char>(link.flags);
    bytes_ += link.text;
  }
  std::string_view bytes() const { return bytes_; }

  static uint32_t Slot(std::string_view bytes) {
    return static_cast<uint32_t>(static_cast<uint8_t>(bytes[0])) << 8 | static_cast<uint8_t>(bytes[1]);
  }
  static LinkRecord Parse(std::string_view bytes) {
    bytes.remove_prefix(2);
    const size_t target = bytes.find('\0');
    const size_t source = bytes.find('\0', target + 1);
    return {.target = bytes.substr(0, target),
            .source = bytes.substr(target + 1, source - target - 1),
            .kind = static_cast<LinkKind>(bytes[source + 1]),
            .flags = static_cast<uint8_t>(bytes[source + 2]),
            .text = bytes.substr(source + 3)};
  }

 private:
  std::string bytes_;
};

uint8_t FlagsOf(const store::FetchCell& fetch) {
  uint8_t flags = 0;
  if (fetch.nofollow) flags |= link_flag::kSourceNofollow;
  if (fetch.noindex) flags |= link_flag::kSourceNoindex;
  if (fetch.status < 200 || fetch.status > 299) flags |= link_flag::kSourceFailed;
  return flags;
}

// Passes the links of rows to the sorter.
class LinkReader {
 public:
  LinkReader(const web::TabletMap& map, const InvertLinksOptions& options, ExternalSorter& sorter)
      : map_(map), options_(options), sorter_(sorter) {}

  Status Read(const store::Table& table, uint64_t* rows, Progress& progress) {
    store::RowCursor row = table.Scan();
    for (; row.valid(); row.NextRow()) {
      if (options_.stop.stop_requested()) return Stopped();
      progress.Advance(1);
      (*rows)++;
      if (options_.excluded && options_.excluded(row.key())) continue;
      CRV_ASSIGN(const store::FetchCell fetch, row.fetch());
      const uint8_t flags = FlagsOf(fetch);
      if (!fetch.location.empty()) CRV_TRY(Add(fetch.location, row.key(), LinkKind::kRedirect, flags, {}));
      CRV_ASSIGN(const auto links, table.Links(row.key(), row.time()));
      if (!links) continue;
      for (const store::OutLink& link : *links) {
        CRV_TRY(Add(link.url, row.key(), static_cast<LinkKind>(link.kind),
                    link.nofollow ? flags | link_flag::kNofollow : flags, CutText(link.text)));
      }
    }
    return row.status();
  }

 private:
  // A URL that is not http or https has no row, and is skipped.
  Status Add(std::string_view url, std::string_view source, LinkKind kind, int flags, std::string_view text) {
    key_.clear();
    if (!url_.Parse(url) || !web::AppendRowKey(url_, &key_).ok()) return Status::Ok();
    if (options_.excluded && options_.excluded(key_)) return Status::Ok();
    record_.Set(
        map_.SlotOf(web::HostHash(url_.hostname())),
        {.target = key_, .source = source, .kind = kind, .flags = static_cast<uint8_t>(flags), .text = text});
    return sorter_.Add(record_.bytes());
  }

  const web::TabletMap& map_;
  const InvertLinksOptions& options_;
  ExternalSorter& sorter_;
  // Scratch.
  web::Url url_;
  std::string key_;
  SortedLink record_;
};

}  // namespace

std::vector<LinkTablet> LinkTabletsOf(collection::Collection& store) {
  std::vector<LinkTablet> tablets;
  for (collection::Tablet* const tablet : store.tablets()) {
    tablets.push_back({.id = tablet->id(),
                       .table = &tablet->table(),
                       .changes = &tablet->changes(),
                       .folder = tablet->links_directory()});
  }
  return tablets;
}

std::vector<std::string> LinkFolders(std::span<const LinkTablet> tablets) {
  std::vector<std::string> folders;
  for (const LinkTablet& tablet : tablets) folders.push_back(tablet.folder);
  return folders;
}

Status CheckLinksOf(const LinkTablet& tablet) {
  const std::string path = LinksPath(tablet.folder);
  CRV_ASSIGN(const auto file, Mapped<LinksFile>::Open(path, {.pattern = AccessPattern::kSequential}));
  if (file->origin().tablet != tablet.id) {
    return Status::Corruption(fmt::format("{}: holds links to the tablet {}, but lies in the folder of {}",
                                          path, file->origin().tablet.Name(), tablet.id.Name()));
  }
  return file->Check().WithContext(path);
}

Result<LinksSummary> InvertLinks(std::span<const LinkTablet> tablets, const InvertLinksOptions& options,
                                 Progress& progress) {
  std::vector<const LinkTablet*> by_slot;
  std::vector<web::TabletId> ids;
  for (const LinkTablet& tablet : tablets) {
    by_slot.push_back(&tablet);
    ids.push_back(tablet.id);
  }
  CRV_ASSIGN(const web::TabletMap map, web::TabletMap::Of(std::move(ids)));
  std::sort(by_slot.begin(), by_slot.end(),
            [](const LinkTablet* a, const LinkTablet* b) { return a->id < b->id; });
  LinksOrigin origin;
  for (const LinkTablet* const tablet : by_slot) {
    CRV_TRY(RemoveLeftovers(tablet->folder, *options.fs));
    CRV_ASSIGN(const uint64_t sequence, tablet->changes->Settled());
    origin.sources.push_back({tablet->id, sequence});
  }

  LinksSummary summary;
  ExternalSorter sorter({.folder = LinksScratchPath(by_slot[0]->folder),
                         .memory_bytes = options.memory_bytes,
                         .fs = options.fs});
  LinkReader reader(map, options, sorter);
  progress.Start("gathering links", 0);
  for (const LinkTablet* const tablet : by_slot)
    CRV_TRY(reader.Read(*tablet->table, &summary.rows, progress));
  progress.Finish();

  progress.Start("sorting links", 0);
  CRV_TRY(sorter.Sort());
  bool more = sorter.Next();
  for (uint32_t slot = 0; slot < by_slot.size(); slot++) {
    origin.tablet = by_slot[slot]->id;
    CRV_ASSIGN(LinksWriter writer,
               LinksWriter::Create(LinksPath(by_slot[slot]->folder), origin, *options.fs));
    for (; more && SortedLink::Slot(sorter.record()) == slot; more = sorter.Next()) {
      if (++summary.links % 4096 == 0) {
        progress.Advance(4096);
        if (options.stop.stop_requested()) return Stopped();
      }
      CRV_TRY(writer.Add(SortedLink::Parse(sorter.record())));
    }
    CRV_TRY(sorter.status());
    CRV_TRY(writer.Finish());
  }
  progress.Finish();
  return summary;
}

}  // namespace crivello::jobs
