// SPDX-License-Identifier: Apache-2.0
#include "store/ledger.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/civil_time.h"
#include "base/record.h"
#include "store/version_key.h"
#include "store/warc_record.h"

namespace crivello::store {
namespace {

constexpr uint8_t kEventVersion = 1;

constexpr std::array<std::string_view, kMaxEventKind + 1> kNames = {"",
                                                                    "seed",
                                                                    "found",
                                                                    "in-sitemap",
                                                                    "redirected-here",
                                                                    "fetched",
                                                                    "not-modified",
                                                                    "redirected",
                                                                    "failed",
                                                                    "given-up",
                                                                    "refused-by-robots",
                                                                    "trap",
                                                                    "filtered",
                                                                    "duplicate-of",
                                                                    "near-copy-of",
                                                                    "already-fetched",
                                                                    "budget",
                                                                    "host-given-up",
                                                                    "links-not-followed",
                                                                    "bad-certificate",
                                                                    "not-converted"};

// Which fields a kind has: bits of the byte that follows it.
constexpr uint64_t kHasNumber = 1;
constexpr uint64_t kHasUntil = 2;
constexpr uint64_t kHasUrl = 4;
constexpr uint64_t kHasEventText = 8;
constexpr uint64_t kKnownFields = 15;

// Events sort by increasing time; those of one moment, by kind, so they stay distinct.
std::string EventKey(std::string_view row, VersionTime time, EventKind kind) {
  std::string key = VersionKey(row, ~time);
  key.push_back(static_cast<char>(kind));
  return key;
}

std::string Times(uint64_t number, std::string_view what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

}  // namespace

std::string_view EventKindName(EventKind kind) {
  const auto number = static_cast<size_t>(kind);
  return number < kNames.size() ? kNames[number] : "";
}

namespace {

// In words. The names are those of policy::TrapRuleName(); an older program may not know all of them.
std::string TrapMeaning(std::string_view rule) {
  constexpr std::pair<std::string_view, std::string_view> kMeanings[] = {
      {"long-url", "the URL is very long"},
      {"deep-path", "the path has very many segments"},
      {"repeated-segments", "parts of the path repeat"},
      {"many-parameters", "the query has very many parameters"},
      {"repeated-parameters", "parameters repeat"},
      {"far-date", "a calendar page later than next year"},
      {"calendar", "very many pages of one calendar"},
      {"session-id", "the same URL with another session id"},
      {"facets", "very many combinations of parameters for one path"},
  };
  for (const auto& [name, meaning] : kMeanings) {
    if (name == rule) return fmt::format(" ({})", meaning);
  }
  return "";
}

}  // namespace

std::string Explain(const Event& event) {
  switch (event.kind) {
    case EventKind::kSeed:
      return "given as a seed";
    case EventKind::kFound:
      return fmt::format("found on {}, {} from a seed", event.url, Times(event.number, "link"));
    case EventKind::kInSitemap:
      return fmt::format("listed in the sitemap {}", event.url);
    case EventKind::kRedirectedHere:
      return fmt::format("{} redirects here", event.url);
    case EventKind::kFetched:
      return event.number == 0 ? "no answer for so long that the page left the index"
                               : fmt::format("fetched, the server answered {}", event.number);
    case EventKind::kNotModified:
      return "fetched again: the server says that it has not changed";
    case EventKind::kRedirected:
      return fmt::format("fetched, the server answered {} and points to {}", event.number, event.url);
    case EventKind::kFailed:
      return event.until == 0 ? fmt::format("attempt {} failed: {}", event.number, event.text)
                              : fmt::format("attempt {} failed: {}; next attempt not before {}", event.number,
                                            event.text, FormatRfc3339(event.until / 1'000'000));
    case EventKind::kGivenUp:
      return fmt::format("given up: {}", event.text);
    case EventKind::kRefusedByRobots:
      return event.number == 0
                 ? fmt::format("refused by robots.txt: {}", event.text)
                 : fmt::format("refused by line {} of robots.txt: {}", event.number, event.text);
    case EventKind::kTrap:
      return fmt::format("skipped as part of an endless site, by the trap rule {}{}", event.text,
                         TrapMeaning(event.text));
    case EventKind::kFiltered:
      return fmt::format("left out by the filter {}", event.text);
    case EventKind::kDuplicateOf:
      return fmt::format("has the same content as {}", event.url);
    case EventKind::kNearCopyOf:
      return event.url.empty()
                 ? "has a text that was seen before, but for case, spaces and digits"
                 : fmt::format("is a near-copy of {}: {} of 64 bits of their SimHashes differ{}{}", event.url,
                               event.number, event.text.empty() ? "" : "; ", event.text);
    case EventKind::kAlreadyFetched:
      return "not fetched again: it was fetched after it had been queued";
    case EventKind::kBudget:
      return fmt::format("left out: {} is used up", event.text);
    case EventKind::kHostGivenUp:
      return fmt::format("its host was given up: {}", event.text);
    case EventKind::kLinksNotFollowed:
      return fmt::format("its links were not followed: {}", event.text);
    case EventKind::kBadCertificate:
      return fmt::format("its server's certificate is not valid: {}", event.text);
    case EventKind::kNotConverted:
      return fmt::format("archived without its text: {}", event.text);
  }
  return "an event that this program does not know";
}

Event EventOfRow(const Row& row) {
  const bool redirect = row.fetch.status >= 300 && row.fetch.status < 400 && !row.fetch.location.empty();
  return {.time = row.time,
          .kind = redirect ? EventKind::kRedirected : EventKind::kFetched,
          .number = row.fetch.status,
          .url = redirect ? row.fetch.location : ""};
}

std::string EncodeEvent(const Event& event) {
  std::string out;
  RecordWriter writer(&out);
  writer.Number(kEventVersion);
  writer.Number(static_cast<uint64_t>(event.kind));
  writer.Number((event.number != 0 ? kHasNumber : 0) | (event.until != 0 ? kHasUntil : 0) |
                (event.url.empty() ? 0 : kHasUrl) | (event.text.empty() ? 0 : kHasEventText));
  if (event.number != 0) writer.Number(event.number);
  if (event.until != 0) writer.Signed(event.until);
  if (!event.url.empty()) writer.Text(event.url);
  if (!event.text.empty()) writer.Text(event.text);
  return out;
}

Result<Event> DecodeEvent(VersionTime time, std::string_view bytes) {
  RecordReader reader(bytes);
  const uint64_t version = reader.Number();
  const uint64_t kind = reader.Number();
  // A newer program may have written kinds that this one does not know: stop reading with an explanation.
  if (reader.ok() && (version > kEventVersion || kind > kMaxEventKind)) {
    return Status::Corruption(fmt::format(
        "the ledger has an event of version {} and kind {}, which needs a newer program", version, kind));
  }
  const uint64_t fields = reader.NumberAtMost(kKnownFields);
  Event event = {.time = time, .kind = static_cast<EventKind>(kind)};
  if ((fields & kHasNumber) != 0) event.number = reader.Number();
  if ((fields & kHasUntil) != 0) event.until = reader.Signed();
  if ((fields & kHasUrl) != 0) event.url = reader.Text();
  if ((fields & kHasEventText) != 0) event.text = reader.Text();
  if (!reader.finished() || version == 0 || kind == 0)
    return Status::Corruption("corrupt event in the ledger");
  return event;
}

kv::Family Ledger::AddTo(std::vector<kv::FamilyOptions>* families) {
  families->push_back({.name = "ledger"});
  return static_cast<kv::Family>(families->size() - 1);
}

Status Ledger::Put(std::string_view row_key, const Event& event, kv::Batch* batch) const {
  if (row_key.find('\0') != std::string_view::npos)
    return Status::InvalidArgument("invalid row key: it contains a NUL");
  batch->Put(family_, EventKey(row_key, event.time, event.kind), EncodeEvent(event));
  return Status::Ok();
}

Result<std::vector<Event>> Ledger::Get(std::string_view row_key) const {
  std::vector<Event> events;
  kv::Cursor cursor = database_.Scan(family_, VersionKey(row_key, INT64_MAX), EndOfVersions(row_key));
  for (; cursor.valid(); cursor.Next()) {
    const auto key = ParseVersionKey(cursor.key().substr(0, cursor.key().size() - 1));
    if (!key) return Status::Corruption("corrupt key in the ledger");
    CRV_ASSIGN(Event event, DecodeEvent(~key->time, cursor.value()));
    events.push_back(std::move(event));
  }
  CRV_TRY(cursor.status());
  return events;
}

Status Ledger::ForEach(const std::function<void(std::string_view row_key, const Event& event)>& visit) const {
  kv::Cursor cursor = database_.Scan(family_);
  for (; cursor.valid(); cursor.Next()) {
    const auto key = ParseVersionKey(cursor.key().substr(0, std::max<size_t>(cursor.key().size(), 1) - 1));
    if (!key) return Status::Corruption("corrupt key in the ledger");
    CRV_ASSIGN(const Event event, DecodeEvent(~key->time, cursor.value()));
    visit(key->row, event);
  }
  return cursor.status();
}

Status Ledger::Check(const std::function<void(std::string sentence)>& note) const {
  kv::Cursor cursor = database_.Scan(family_);
  for (; cursor.valid(); cursor.Next()) {
    const auto key = ParseVersionKey(cursor.key().substr(0, std::max<size_t>(cursor.key().size(), 1) - 1));
    const Status line = key ? DecodeEvent(~key->time, cursor.value()).status()
                            : Status::Corruption("corrupt key in the ledger");
    if (!line.ok()) note(key ? fmt::format("the ledger, {}: {}", key->row, line.message()) : line.message());
  }
  return cursor.status();
}

void Ledger::Delete(std::string_view row_key, kv::Batch* batch) const {
  batch->DeleteRange(family_, VersionKey(row_key, INT64_MAX), EndOfVersions(row_key));
}

}  // namespace crivello::store
