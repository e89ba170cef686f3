// SPDX-License-Identifier: Apache-2.0
#include "jobs/links/links_format.h"

#include "base/hash.h"
#include "base/record.h"

namespace crivello::jobs {
namespace {

void PadToWord(std::string* bytes) { bytes->resize((bytes->size() + 7) / 8 * 8, '\0'); }

}  // namespace

std::string LinksOrigin::Encode() const {
  RecordWriter record;
  record.Text(tablet.Name());
  record.Number(sources.size());
  for (const Source& source : sources) {
    record.Text(source.tablet.Name());
    record.Number(source.sequence);
  }
  return std::move(record).bytes();
}

Result<LinksOrigin> LinksOrigin::Decode(std::string_view bytes) {
  RecordReader record(bytes);
  LinksOrigin origin;
  const auto tablet = web::TabletId::Parse(record.Text());
  const uint64_t sources = record.NumberAtMost(bytes.size());
  bool sound = tablet.has_value();
  for (uint64_t i = 0; i < sources && sound && record.ok(); i++) {
    const auto id = web::TabletId::Parse(record.Text());
    const uint64_t sequence = record.Number();
    sound = id.has_value() && (i == 0 || origin.sources.back().tablet < *id);
    if (sound) origin.sources.push_back({*id, sequence});
  }
  if (!sound || !record.finished()) return Status::Corruption("links: the list of tablets is damaged");
  origin.tablet = *tablet;
  return origin;
}

uint64_t LinksBlockSeed(uint64_t number) { return Mix64(number + 1); }

std::string SealLinksBlock(uint64_t number, uint64_t records, std::string_view bytes) {
  std::string checked;
  RecordWriter writer(&checked);
  writer.Word(bytes.size() | records << 32);
  writer.Raw(bytes);
  PadToWord(&checked);
  std::string block;
  RecordWriter(&block).Word(Hash64(checked, LinksBlockSeed(number)));
  return block + checked;
}

std::string SealLinksTail(const LinksTail& tail, uint64_t at) {
  std::string bytes;
  RecordWriter writer(&bytes);
  writer.Word(tail.origin.size());
  writer.Raw(tail.origin);
  PadToWord(&bytes);
  for (const uint64_t offset : tail.offsets) writer.Word(offset);
  writer.Word(tail.records);
  writer.Word(tail.targets);
  writer.Word(tail.offsets.size());
  writer.Word(at);
  writer.Word(Hash64(bytes));
  return bytes;
}

}  // namespace crivello::jobs
