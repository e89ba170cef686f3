// SPDX-License-Identifier: Apache-2.0
#include "care/importer.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/civil_time.h"
#include "page/archived_answer.h"
#include "page/trec_answer.h"
#include "text/terms/language.h"
#include "web/http/http_chunked.h"
#include "web/http/http_headers.h"
#include "web/url/canonical.h"
#include "web/url/row_key.h"

namespace crivello::care {
namespace {

constexpr uint64_t kImportBatchBytes = 8 << 20;
constexpr std::string_view kHtmlHead = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n";

// Calls take(paragraph) for each run of lines, separated by empty lines.
template <typename Take>
void ForEachParagraph(std::string_view text, Take take) {
  while (!text.empty()) {
    size_t end = 0;  // of the paragraph
    size_t next = 0;
    while (next < text.size()) {
      const size_t line_end = std::min(text.find('\n', next), text.size());
      const std::string_view line = text.substr(next, line_end - next);
      next = std::min(line_end + 1, text.size());
      if (line.find_first_not_of(" \t\r") == std::string_view::npos) break;
      end = line_end;
    }
    if (end > 0) take(text.substr(0, end));
    text.remove_prefix(next);
  }
}

}  // namespace

Importer::Importer(collection::Collection& store, page::PageReaderOptions reader, const Clock& clock)
    : store_(store), clock_(clock), deriver_(std::move(reader)), batches_(store.map().size()) {}

Status Importer::Add(const page::ImportedDocument& document) {
  CRV_ASSIGN(const web::Url url, web::CanonicalUrl(document.url));
  if (!Allowed(url)) return Status::Ok();
  const std::optional<int64_t> seconds = document.time ? document.time : document.date;
  const store::VersionTime time = seconds ? *seconds * 1'000'000 : ToMicroseconds(clock_.Wall());
  const std::string& body = document.is_html ? document.html : document.text;
  store::FetchCell fetch;
  fetch.status = 200;
  fetch.content_type = document.is_html ? "text/html" : "text/plain";
  fetch.body_bytes = body.size();
  fetch.payload = Sha1Of(body);
  fetch.id = document.id;
  CRV_TRY(document.is_html ? DeriveHtml(document, url, time, &fetch) : DeriveText(document, &fetch));
  if (!document.usage.empty()) fetch.usage = document.usage;
  summary_.bytes += body.size();
  CRV_ASSIGN(collection::Tablet* const tablet, store_.TabletOfHost(url.hostname()));
  return Put(*tablet, url, time, fetch);
}

Status Importer::AddLinksOf(const page::ImportedDocument& document) {
  const ImportSummary counted = summary_;
  const Status status = Add(document);
  summary_ = counted;
  return status;
}

int64_t Importer::Now() const { return ToMicroseconds(clock_.Wall()) / 1'000'000; }

Result<bool> Importer::Remove(const web::Url& url) {
  CRV_TRY(Write(false));  // rows in a batch are not visible to reads
  CRV_ASSIGN(collection::Tablet* const tablet, store_.TabletOfHost(url.hostname()));
  CRV_ASSIGN(const std::string key, web::RowKey(url));
  CRV_ASSIGN(const std::vector<store::Row> rows, tablet->table().Get(key, {.versions = UINT64_MAX}));
  constexpr uint16_t kGone = 410;
  if (rows.empty() || rows.front().fetch.status == kGone) return false;
  const bool archived = std::any_of(rows.begin(), rows.end(),
                                    [](const store::Row& row) { return row.fetch.record.length > 0; });
  kv::Batch& batch = batches_[store_.SlotOf(url.hostname())];
  if (archived) {
    store::FetchCell gone;
    gone.status = kGone;
    gone.id = rows.front().fetch.id;
    const store::VersionTime time = std::max(rows.front().time + 1, ToMicroseconds(clock_.Wall()));
    CRV_TRY(tablet->table().Put(key, {.time = time, .fetch = &gone}, &batch));
  } else {
    tablet->table().Delete(key, &batch);
  }
  newest_.erase(key);
  CRV_TRY(Write(false));
  return true;
}

Status Importer::DeriveText(const page::ImportedDocument& document, store::FetchCell* fetch) {
  const std::string language =
      document.language.empty() ? text::DetectLanguage(document.text).code : document.language;
  const dedup::PageDigest digest = digester_.Digest(document.text);
  fetch->text_digest = digest.text;
  fetch->simhash = digest.simhash;
  fetch->derived_by = page::kDerivedBy;
  text_cell_ = {.derived_by = page::kDerivedBy,
                .language = language,
                .charset = "UTF-8",
                .title = document.title,
                .published = document.date,
                .blocks = std::move(text_cell_.blocks)};
  text_cell_.blocks.clear();
  for (const page::ImportedBlock& block : document.blocks) {
    text_cell_.blocks.push_back(
        {.kind = block.kind, .level = block.level, .main = block.main, .text = block.text});
  }
  if (document.blocks.empty()) {
    ForEachParagraph(document.text,
                     [&](std::string_view paragraph) { text_cell_.blocks.push_back({.text = paragraph}); });
  }
  store::EncodeTextCell(text_cell_, &text_);
  links_.clear();
  if (document.links.empty()) return Status::Ok();
  link_cell_.Clear();
  for (const store::OutLink& link : document.links) {
    if (!link_cell_.Add(link.url, link.text, link.kind, link.nofollow)) break;  // as of a page with too many
  }
  links_ = link_cell_.bytes();
  return Status::Ok();
}

Status Importer::DeriveHtml(const page::ImportedDocument& document, const web::Url& url,
                            store::VersionTime time, store::FetchCell* fetch) {
  const web::HttpResponse head = web::ParseHttpResponse(kHtmlHead);
  CRV_ASSIGN(collection::Tablet* const tablet, store_.TabletOfHost(url.hostname()));
  CRV_ASSIGN(
      page::DerivedPage page,
      deriver_.Derive({.url = url, .fields = head.fields, .body = document.html, .now = time / 1'000'000},
                      tablet->templates()));
  if (!document.language.empty()) page.language = document.language;
  if (!document.title.empty()) page.reading.html.document.title = document.title;
  deriver_.Fill(page, fetch, &text_, &links_);
  return Status::Ok();
}

Status Importer::Add(const store::WarcRecord& record) {
  if (record.type != store::WarcType::kResponse || store::IsForRobots(record)) {
    summary_.skipped++;
    return Status::Ok();
  }
  const auto url = web::CanonicalUrl(record.target_uri);
  const std::optional<int64_t> date = store::ParseWarcDate(record.date);
  if (!url.ok() || !date) {
    Refuse(url.ok() ? fmt::format("{}: the record has no valid date", record.target_uri)
                    : url.status().message());
    return Status::Ok();
  }
  if (!Allowed(*url)) return Status::Ok();
  const web::HttpResponse http = web::ParseHttpResponse(record.block);
  const web::Dechunked joined =
      http.fields.Find("transfer-encoding") ? web::Dechunk(http.body) : web::Dechunked();
  const std::string_view body = joined.chunked ? std::string_view(joined.body) : http.body;

  CRV_ASSIGN(collection::Tablet* const found, store_.TabletOfHost(url->hostname()));
  collection::Tablet& tablet = *found;
  store::FetchCell fetch;
  CRV_TRY(
      page::FillFromAnswer({.url = *url,
                            .date = *date,
                            .head = record.block.substr(0, http.head_bytes),
                            .http = http,
                            .body = body,
                            .truncated = !record.whole || record.fields.Find("WARC-Truncated").has_value()},
                           deriver_, tablet.templates(), &fetch, &text_, &links_));
  fetch.id = page::TrecNumberOf(http);
  const std::string href(url->href());
  const store::Capture capture = {.url = href,
                                  .date = *date,
                                  .ip = record.ip,
                                  .request_head = {},
                                  .response_head = record.block.substr(0, http.head_bytes),
                                  .body = body,
                                  .truncated = fetch.truncated ? "length" : ""};
  CRV_TRY(encoder_.Encode(capture, fetch.payload, nullptr, &encoded_));
  CRV_ASSIGN(fetch.record, tablet.archive()->Append(encoded_));
  summary_.bytes += body.size();
  return Put(tablet, *url, *date * 1'000'000, fetch);
}

bool Importer::Allowed(const web::Url& url) {
  if (allowed_by_ == nullptr) allowed_by_ = store_.forgotten().current();
  const collection::ForgottenEntry* forgotten = allowed_by_->Find(url);
  if (forgotten == nullptr) return true;
  Refuse(fmt::format("{}: was forgotten ({}) and cannot be imported", url.href(), forgotten->reason));
  return false;
}

Status Importer::Put(collection::Tablet& tablet, const web::Url& url, store::VersionTime time,
                     const store::FetchCell& fetch) {
  CRV_ASSIGN(const std::string key, web::RowKey(url));
  auto [newest, first] = newest_.try_emplace(key);
  if (first) {
    CRV_ASSIGN(newest->second, tablet.table().Newest(key));
  }
  kv::Batch& batch = batches_[store_.SlotOf(url.hostname())];
  const uint64_t before = batch.size_bytes();
  const store::RowVersion version = {.time = time, .fetch = &fetch, .text = text_, .links = links_};
  // A version older than the existing ones does not become the newest.
  if (newest->second && *newest->second > time) {
    tablet.table().Replace(key, version, &batch);
  } else {
    CRV_TRY(tablet.table().Put(key, version, &batch));
    newest->second = time;
  }
  summary_.documents++;
  batch_bytes_ += batch.size_bytes() - before;
  return batch_bytes_ >= kImportBatchBytes ? Write(false) : Status::Ok();
}

void Importer::Refuse(std::string sentence) {
  summary_.refused++;
  if (summary_.sentences.size() < ImportSummary::kMaxSentences) {
    summary_.sentences.push_back(std::move(sentence));
  }
}

Status Importer::Write(bool sync) {
  for (uint32_t slot = 0; slot < batches_.size(); ++slot) {
    collection::Tablet* const tablet = store_.tablet(slot);
    if (tablet == nullptr || (!sync && batches_[slot].empty())) continue;
    // A row refers to its record, so sync the archive first.
    CRV_TRY(tablet->archive()->Sync());
    std::optional<collection::PageSchedule::Change> schedule;
    if (!batches_[slot].empty() && tablet->schedule().complete()) {
      schedule.emplace(tablet->schedule().Begin());
      schedule->SetComplete(false);
      CRV_TRY(schedule->Fill(&batches_[slot], nullptr));
    }
    CRV_TRY(tablet->db().Write(batches_[slot], {.sync = sync}));
    if (schedule) schedule->Done(nullptr);
    if (sync) CRV_TRY(tablet->Acknowledge());
    batches_[slot].Clear();
  }
  newest_.clear();
  batch_bytes_ = 0;
  allowed_by_ = nullptr;
  return Status::Ok();
}

Status Importer::Finish() { return Write(true); }

}  // namespace crivello::care
