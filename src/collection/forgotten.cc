// SPDX-License-Identifier: Apache-2.0
#include "collection/forgotten.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/record.h"
#include "web/url/canonical.h"

namespace crivello::collection {
namespace {

// A placeholder for what follows a prefix, so that the end of the prefix ("?", "/.") is not parsed as the end
// of a URL.
constexpr char kMark = 'z';
constexpr uint64_t kMaxKind = static_cast<uint64_t>(ForgetTarget::Kind::kPrefix);

}  // namespace

Result<ForgetTarget> ForgetTarget::Parse(std::string_view text) {
  const bool prefix = text.ends_with('*');
  if (text.find("://") != std::string_view::npos) {
    if (!prefix) {
      CRV_ASSIGN(const web::Url url, web::CanonicalUrl(text));
      return ForgetTarget{Kind::kUrl, std::string(url.href())};
    }
    text.remove_suffix(1);
    CRV_ASSIGN(const web::Url url, web::CanonicalUrl(fmt::format("{}{}", text, kMark)));
    std::string start(url.href());
    if (text.find('#') != std::string_view::npos || !start.ends_with(kMark)) {
      return Status::InvalidArgument(
          fmt::format("invalid prefix \"{}*\": expected https://host/path*", text));
    }
    start.pop_back();
    return ForgetTarget{Kind::kPrefix, std::move(start)};
  }
  const bool domain = text.starts_with("*.");
  if (domain) text.remove_prefix(2);
  const auto url = web::CanonicalUrl(fmt::format("https://{}/", text));
  if (text.empty() || text.find_first_of("/?#@*") != std::string_view::npos || !url.ok() ||
      url->href() != fmt::format("https://{}/", url->hostname())) {
    return Status::InvalidArgument(fmt::format(
        "invalid target \"{}\": expected a URL with its scheme, a host, *.domain, or a URL that ends with *",
        text));
  }
  return ForgetTarget{domain ? Kind::kDomain : Kind::kHost, std::string(url->hostname())};
}

std::string ForgetTarget::ToString() const {
  if (kind == Kind::kDomain) return "*." + text;
  return kind == Kind::kPrefix ? text + "*" : text;
}

web::RowKeyRange ForgetTarget::Range() const {
  if (kind == Kind::kHost) return web::RowKeysOfHost(text);
  if (kind == Kind::kDomain) return web::RowKeysOfDomain(text);
  const auto url = web::CanonicalUrl(kind == Kind::kPrefix ? text + kMark : text);
  const auto key = url.ok() ? web::RowKey(*url) : url.status();
  if (!key.ok()) return {.begin = "\x01", .end = "\x02"};  // of no row; only from a file, never from Parse()
  if (kind == Kind::kPrefix) return web::RowKeysWithPrefix(std::string_view(*key).substr(0, key->size() - 1));
  // No row key contains a byte below the space, so this is the row and its versions in the table.
  return {.begin = *key, .end = *key + '\x01'};
}

ForgottenSet::ForgottenSet(std::vector<ForgottenEntry> entries) : entries_(std::move(entries)) {
  for (const ForgottenEntry& entry : entries_) ranges_.push_back(entry.target.Range());
}

bool ForgottenSet::unfinished() const {
  return std::any_of(entries_.begin(), entries_.end(), [](const ForgottenEntry& e) { return e.done == 0; });
}

const ForgottenEntry* ForgottenSet::Find(std::string_view row_key) const {
  for (size_t i = 0; i < ranges_.size(); ++i) {
    if (ranges_[i].Contains(row_key)) return &entries_[i];
  }
  return nullptr;
}

const ForgottenEntry* ForgottenSet::Find(const web::Url& url) const {
  if (empty()) return nullptr;
  const auto key = web::RowKey(url);
  return key.ok() ? Find(*key) : nullptr;
}

bool ForgottenSet::ContainsHost(std::string_view host) const {
  if (empty()) return false;
  const web::RowKeyRange all = web::RowKeysOfHost(host);
  return std::any_of(ranges_.begin(), ranges_.end(), [&](const web::RowKeyRange& range) {
    return range.begin <= all.begin && all.end <= range.end;
  });
}

std::string ForgottenSet::Encode() const {
  RecordWriter list;
  for (const ForgottenEntry& entry : entries_) {
    list.Number(static_cast<uint64_t>(entry.target.kind));
    list.Text(entry.target.text);
    list.Text(entry.reason);
    list.Signed(entry.begun);
    list.Signed(entry.done);
    list.Number(entry.rows);
    list.Number(entry.records);
  }
  RecordWriter record;  // after its length: the envelope pads it
  record.Text(list.bytes());
  return std::move(record).bytes();
}

Result<ForgottenSet> ForgottenSet::Decode(std::string_view payload) {
  RecordReader record(payload);
  RecordReader list(record.Text());
  std::vector<ForgottenEntry> entries;
  while (list.left() > 0 && list.ok()) {
    ForgottenEntry entry;
    entry.target.kind = static_cast<ForgetTarget::Kind>(list.NumberAtMost(kMaxKind));
    entry.target.text = list.Text();
    entry.reason = list.Text();
    entry.begun = list.Signed();
    entry.done = list.Signed();
    entry.rows = list.Number();
    entry.records = list.Number();
    entries.push_back(std::move(entry));
  }
  if (!record.ok() || !list.ok()) return Status::Corruption("the list of forgotten pages is damaged");
  return ForgottenSet(std::move(entries));
}

Description ForgottenSet::Describe() const {
  const auto unfinished =
      std::count_if(entries_.begin(), entries_.end(), [](const ForgottenEntry& e) { return e.done == 0; });
  return {{"entries", uint64_t{entries_.size()}}, {"unfinished", static_cast<uint64_t>(unfinished)}};
}

Result<std::unique_ptr<ForgottenList>> ForgottenList::Open(const std::string& directory) {
  std::unique_ptr<ForgottenList> list(new ForgottenList(directory + "/forgotten"));
  const auto file = FormatFile::Open(list->path_, ForgottenSet::kFileKind);
  if (file.status().code() == StatusCode::kNotFound) return list;
  CRV_TRY(file.status());
  auto set = ForgottenSet::Decode(AsText(file->payload()));
  if (!set.ok()) return set.status().WithContext(list->path_);
  MutexLock lock(list->mu_);
  list->current_ = Version(std::move(set).value());
  return list;
}

std::shared_ptr<const ForgottenSet> ForgottenList::current() const {
  MutexLock lock(mu_);
  return current_.set;
}

ForgottenList::Version::Version(ForgottenSet contents)
    : released(std::make_shared<Wakeup>()),
      set(new ForgottenSet(std::move(contents)), [news = released](const ForgottenSet* last) {
        delete last;
        news->Notify();
      }) {}

Status ForgottenList::Replace(std::vector<ForgottenEntry> entries) {
  Version next(ForgottenSet(std::move(entries)));
  CRV_ASSIGN(FormatFileWriter file, FormatFileWriter::Create(path_, ForgottenSet::kFileKind));
  CRV_TRY(file.Append(AsBytes(next.set->Encode())));
  CRV_TRY(file.Finish());
  const std::shared_ptr<Wakeup> released = [&] {
    MutexLock lock(mu_);
    return std::exchange(current_, std::move(next)).released;
  }();
  released->Wait();
  return Status::Ok();
}

}  // namespace crivello::collection
