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

// The parts of a links file that its writer and its reader share; docs/formats/links.md has the layout.

// Which rows the links of a file were read from.
struct LinksOrigin {
  // A tablet whose rows were read, and the change of its table up to which all was seen.
  struct Source {
    web::TabletId tablet = {};
    uint64_t sequence = 0;
    friend bool operator==(const Source&, const Source&) = default;
  };
  web::TabletId tablet = {};         // the tablet of the targets
  std::vector<Source> sources = {};  // in order of tablets

  std::string Encode() const;
  // Corruption if the bytes are not an origin.
  static Result<LinksOrigin> Decode(std::string_view bytes);
  friend bool operator==(const LinksOrigin&, const LinksOrigin&) = default;
};

inline constexpr size_t kLinksBlockHeadBytes = 16;
inline constexpr size_t kLinksTotalsBytes = 40;
// A block is closed when its records have so many bytes: a seek reads log2(blocks) of them.
inline constexpr size_t kLinksBlockBytes = 32 << 10;

// Where the checksum of a block starts from: so a block at another place is damage.
uint64_t LinksBlockSeed(uint64_t number);

// The bytes of a block: its head, its records, zeros up to a multiple of 8.
std::string SealLinksBlock(uint64_t number, uint64_t records, std::string_view bytes);

// What follows the blocks.
struct LinksTail {
  std::string origin;             // LinksOrigin::Encode()
  std::vector<uint64_t> offsets;  // of the blocks in the payload
  uint64_t records = 0;
  uint64_t targets = 0;
};
// Its bytes; `at` is where they begin in the payload.
std::string SealLinksTail(const LinksTail& tail, uint64_t at);

}  // namespace crivello::jobs
