// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace crivello {

// Signatures: XXH3, seeded. The same bytes and seed give the same signature on every machine and in every
// version of this program, because signatures are written to files.
uint64_t Hash64(std::string_view bytes, uint64_t seed = 0);

struct Signature128 {
  uint64_t low = 0;
  uint64_t high = 0;
  friend auto operator<=>(const Signature128&, const Signature128&) = default;
};
Signature128 Hash128(std::string_view bytes, uint64_t seed = 0);

inline uint64_t Hash64(std::span<const std::byte> bytes, uint64_t seed = 0) {
  return Hash64(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()), seed);
}

// A bijection of 64-bit words that spreads every input bit over the output (Stafford's variant 13 of the
// finaliser of MurmurHash3, as in SplitMix64).
constexpr uint64_t Mix64(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

__extension__ typedef unsigned __int128 Uint128;  // not ISO, but both supported compilers have it

// Maps a uniform 64-bit word to [0, n) by its high bits (Lemire). Preserves order, so sorted hashes map to
// sorted slots.
constexpr uint64_t ScaleTo(uint64_t hash, uint64_t n) {
  return static_cast<uint64_t>((static_cast<Uint128>(hash) * n) >> 64);
}

// Computes Hash64 of data that arrives in pieces. One thread at a time.
class Hasher64 {
 public:
  explicit Hasher64(uint64_t seed = 0);
  ~Hasher64();
  Hasher64(Hasher64&&) noexcept;
  Hasher64& operator=(Hasher64&&) noexcept;

  void Update(std::span<const std::byte> bytes);
  // The hash of all bytes so far; more may be added.
  uint64_t Digest() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace crivello
