// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/image.h"
#include "collection/collection.h"
#include "index/tables/inlinks.h"
#include "jobs/links/link_inverter.h"
#include "jobs/links/links_file.h"

namespace crivello::jobs {

// Provides inlinks to an index: Gather() inverts the links of all tablets, and Open() returns the resulting
// files, each once.  They are mapped as soon as they are written, so a source can still be read after they
// are replaced or removed.  One thread at a time.
class LinkAnchors final : public index::AnchorProvider {
 public:
  // For a collection, which must outlive it.  Leaves out its forgotten pages.
  static std::unique_ptr<LinkAnchors> Of(collection::Collection& store);
  // Creates InvertLinksOptions::excluded, once for each job; may be empty.
  using MakeExcluded = std::function<std::function<bool(std::string_view row_key)>()>;
  // The tables must outlive it.
  explicit LinkAnchors(std::vector<LinkTablet> tablets, MakeExcluded make_excluded = {})
      : tablets_(std::move(tablets)), make_excluded_(std::move(make_excluded)) {}

  Status Gather(const Options& options, Progress& progress) override;
  Result<std::unique_ptr<index::AnchorSource>> Open(size_t tablet) override;

 private:
  const std::vector<LinkTablet> tablets_;
  const MakeExcluded make_excluded_;
  std::vector<std::optional<Mapped<LinksFile>>> files_;
};

// The inlinks in a file, for pages requested in increasing order.
std::unique_ptr<index::AnchorSource> AnchorsOf(Mapped<LinksFile> file);

}  // namespace crivello::jobs
