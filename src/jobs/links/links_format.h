// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "web/url/tablet_id.h"

namespace crivello::jobs {

// Code shared by the writer and the reader of a links file; docs/formats/links.md has the layout.

// The rows from which the links of a file were read.
struct LinksOrigin {
  // A tablet that was read, and the change of its table up to which everything was seen.
  struct Source {
    web::TabletId tablet = {};
    uint64_t sequence = 0;
    friend bool operator==(const Source&, const Source&) = default;
  };
  web::TabletId tablet = {};         // the tablet of the targets
  std::vector<Source> sources = {};  // ordered by tablet

  std::string Encode() const;
  // Corruption if the bytes are not an origin.
  static Result<LinksOrigin> Decode(std::string_view bytes);
  friend bool operator==(const LinksOrigin&, const LinksOrigin&) = default;
};

inline constexpr size_t kLinksBlockHeadBytes = 16;
inline constexpr size_t kLinksTotalsBytes = 40;
// A block is closed when its records have this many bytes: a seek reads log2(blocks) of them.
inline constexpr size_t kLinksBlockBytes = 32 << 10;

// The seed of a block's checksum depends on its position, so a block at another position is damage.
uint64_t LinksBlockSeed(uint64_t number);

// The bytes of a block: its head, its records, and zeros up to a multiple of 8.
std::string SealLinksBlock(uint64_t number, uint64_t records, std::string_view bytes);

// The data after the blocks.
struct LinksTail {
  std::string origin;             // LinksOrigin::Encode()
  std::vector<uint64_t> offsets;  // of the blocks in the payload
  uint64_t records = 0;
  uint64_t targets = 0;
};
// Its bytes; `at` is their position in the payload.
std::string SealLinksTail(const LinksTail& tail, uint64_t at);

}  // namespace crivello::jobs
