// SPDX-License-Identifier: Apache-2.0
// Takes any bytes as cells of the table and as an event of the ledger: what decodes survives a round
// trip.

#include <cstdint>
#include <cstdlib>

#include "store/cells.h"
#include "store/dup_cells.h"
#include "store/ledger.h"
#include "store/version_key.h"

namespace {

using namespace crivello::store;

void Require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (const auto cell = DecodeFetchCell(bytes); cell.ok()) {
    Require(*DecodeFetchCell(EncodeFetchCell(*cell)) == *cell);
  }
  if (const auto cell = DecodeTextCell(bytes); cell.ok()) {
    std::string again;
    EncodeTextCell(*cell, &again);
    Require(again == bytes);
  }
  if (const auto links = DecodeLinkCell(bytes); links.ok()) {
    LinkCellBuilder builder;
    for (const OutLink& link : *links) Require(builder.Add(link.url, link.text, link.kind, link.nofollow));
    Require(*DecodeLinkCell(builder.bytes()) == *links);
  }
  if (const auto cell = DecodeDupCell(bytes); cell.ok()) {
    Require(*DecodeDupCell(EncodeDupCell(*cell)) == *cell);
  }
  if (const auto event = DecodeEvent(1, bytes); event.ok()) {
    Require(!Explain(*event).empty());
    Require(*DecodeEvent(1, EncodeEvent(*event)) == *event);
  }
  if (const auto key = ParseVersionKey(bytes)) Require(VersionKey(key->row, key->time) == bytes);
  return 0;
}
