// SPDX-License-Identifier: Apache-2.0
#include "jobs/links/link_anchors.h"

#include <string>
#include <utility>

#include "jobs/links/links_folder.h"
#include "web/url/row_key.h"

namespace crivello::jobs {
namespace {

// The links that the index counts; other links have a flag.
class FileAnchors final : public index::AnchorSource {
 public:
  explicit FileAnchors(Mapped<LinksFile> file) : file_(std::move(file)), cursor_(*file_) {
    more_ = cursor_.Next();
  }
  FileAnchors(const FileAnchors&) = delete;
  FileAnchors& operator=(const FileAnchors&) = delete;

  Result<index::Inlinks> Of(std::string_view row_key) override {
    for (; more_; more_ = cursor_.Next()) {
      const LinkRecord link = cursor_.link();
      const int order = link.target.compare(row_key);
      if (order > 0) break;
      // A linked page without a row, or a link that does not count.
      if (order < 0 || link.flags != 0 || link.kind == LinkKind::kRedirect) continue;
      uint64_t host = 0;
      if (!link.text.empty()) {
        CRV_ASSIGN(host, HostOf(link.source));
      }
      builder_.Add(host, link.text);
    }
    if (!cursor_.status().ok()) return cursor_.status().WithContext(file_.file().path());
    return builder_.Finish();
  }

 private:
  // The number of a row's host.  Adjacent rows mostly have the same, and parsing a URL is expensive.
  Result<uint64_t> HostOf(std::string_view row_key) {
    const std::string_view host = row_key.substr(0, row_key.find(')'));
    if (host != host_ || host.empty()) {
      const auto url = web::UrlOfRowKey(row_key);
      if (!url.ok()) return url.status().WithContext(file_.file().path());
      host_number_ = index::InlinksBuilder::HostNumber(url->hostname());
      host_ = host;
    }
    return host_number_;
  }

  const Mapped<LinksFile> file_;
  LinksCursor cursor_;  // of file_
  bool more_ = false;   // the cursor is on an unused link
  index::InlinksBuilder builder_;
  std::string host_;  // the first part of row keys
  uint64_t host_number_ = 0;
};

}  // namespace

std::unique_ptr<LinkAnchors> LinkAnchors::Of(collection::Collection& store) {
  const auto forgotten = [&store]() -> std::function<bool(std::string_view)> {
    // A copy, because holding the list itself would block changes of it.
    const collection::ForgottenSet now = *store.forgotten().current();
    if (now.empty()) return {};
    return [now](std::string_view row_key) { return now.Find(row_key) != nullptr; };
  };
  return std::make_unique<LinkAnchors>(LinkTabletsOf(store), forgotten);
}

Status LinkAnchors::Gather(const Options& options, Progress& progress) {
  files_.clear();
  const std::vector<std::string> folders = LinkFolders(tablets_);
  // Held until the files are mapped, because forgetting pages removes them.
  CRV_ASSIGN(const LinksLock lock, LinksLock::Take(folders));
  InvertLinksOptions invert = {.memory_bytes = options.memory_bytes, .stop = options.stop};
  if (make_excluded_) invert.excluded = make_excluded_();
  CRV_TRY(InvertLinks(tablets_, invert, progress).status());
  for (const std::string& folder : folders) {
    CRV_ASSIGN(auto file,
               Mapped<LinksFile>::Open(LinksPath(folder),
                                       {.verify = Verify::kEnvelope, .pattern = AccessPattern::kSequential}));
    files_.push_back(std::move(file));
  }
  return Status::Ok();
}

Result<std::unique_ptr<index::AnchorSource>> LinkAnchors::Open(size_t tablet) {
  if (tablet >= files_.size() || !files_[tablet]) {
    return Status::InvalidArgument("the links of this tablet were not gathered, or were given out before");
  }
  std::unique_ptr<index::AnchorSource> source = AnchorsOf(*std::move(files_[tablet]));
  files_[tablet].reset();
  return source;
}

std::unique_ptr<index::AnchorSource> AnchorsOf(Mapped<LinksFile> file) {
  return std::make_unique<FileAnchors>(std::move(file));
}

}  // namespace crivello::jobs
