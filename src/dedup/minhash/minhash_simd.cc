// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "dedup/minhash/minhash_constants.h"
#include "dedup/minhash/minhash_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "dedup/minhash/minhash_simd.cc"
#include <hwy/foreach_target.h>  // compiles this file once for each target
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace crivello::dedup::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The low 64 bits of the products.
template <class V>
HWY_INLINE V MultiplyLow(V x, V y) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
  return x * y;
#else
  // From 32-bit halves: low by low, plus both mixed products in the high half.
  const hn::DFromV<V> d;
  const hn::Repartition<uint32_t, decltype(d)> halves;
  const auto x32 = hn::BitCast(halves, x), y32 = hn::BitCast(halves, y);
  const V low = hn::MulEven(x32, y32);
  const V mixed = hn::Add(hn::MulEven(hn::BitCast(halves, hn::ShiftRight<32>(x)), y32),
                          hn::MulEven(x32, hn::BitCast(halves, hn::ShiftRight<32>(y))));
  return hn::Add(low, hn::ShiftLeft<32>(mixed));
#endif
}

// Keeps kColumns vectors of functions in registers while processing all hashes.
template <size_t kColumns, class D>
void UpdateColumns(D d, const uint64_t* hashes, size_t count, const uint64_t* a, const uint64_t* b,
                   uint64_t* minima) {
  using V = hn::Vec<D>;
  const size_t lanes = hn::Lanes(d);
  const V prime = hn::Set(d, kMinHashPrime);
  V factors[kColumns], summands[kColumns], least[kColumns];
  for (size_t c = 0; c < kColumns; c++) {
    factors[c] = hn::LoadU(d, a + c * lanes);
    summands[c] = hn::LoadU(d, b + c * lanes);
    least[c] = hn::LoadU(d, minima + c * lanes);
  }
  for (size_t i = 0; i < count; i++) {
    const V hash = hn::Set(d, hashes[i]);
    for (size_t c = 0; c < kColumns; c++) {
      const V x = hn::Add(MultiplyLow(hash, factors[c]), summands[c]);
      // x mod (2^61 - 1): 2^61 is congruent to 1, so the top three bits are added to the rest; at most one
      // subtraction is left.
      const V folded = hn::Add(hn::And(x, prime), hn::ShiftRight<61>(x));
      // If x is below the prime, the difference wraps and is large: the lesser of the two is the remainder.
      least[c] = hn::Min(least[c], hn::Min(folded, hn::Sub(folded, prime)));
    }
  }
  for (size_t c = 0; c < kColumns; c++) hn::StoreU(least[c], d, minima + c * lanes);
}

void UpdateMinimaSimd(const uint64_t* hashes, size_t count, const uint64_t* a, const uint64_t* b,
                      uint64_t* minima, size_t functions) {
  // At most 8 lanes, so that 112 functions are whole vectors on every machine.
  const hn::CappedTag<uint64_t, 8> d;
  const size_t lanes = hn::Lanes(d);
  constexpr size_t kColumns = HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3 ? 7 : 2;
  size_t at = 0;
  for (; at + kColumns * lanes <= functions; at += kColumns * lanes) {
    UpdateColumns<kColumns>(d, hashes, count, a + at, b + at, minima + at);
  }
  for (; at + lanes <= functions; at += lanes) {
    UpdateColumns<1>(d, hashes, count, a + at, b + at, minima + at);
  }
  for (; at < functions; at++) {
    for (size_t i = 0; i < count; i++) {
      const uint64_t value = (hashes[i] * a[at] + b[at]) % kMinHashPrime;
      if (value < minima[at]) minima[at] = value;
    }
  }
}

// The messages of one group of lanes: word w of lane l is at words[w * kSha1Lanes + l], block after
// block.
constexpr size_t kSha1Lanes = 16;

template <int kRotate, class V>
HWY_INLINE V RotateLeft(V x) {
  return hn::RotateRight<32 - kRotate>(x);
}

template <class D>
void Sha1Group(D d, const uint32_t* words, size_t blocks, uint32_t* first, uint32_t* second) {
  using V = hn::Vec<D>;
  V h0 = hn::Set(d, 0x67452301), h1 = hn::Set(d, 0xefcdab89), h2 = hn::Set(d, 0x98badcfe);
  V h3 = hn::Set(d, 0x10325476), h4 = hn::Set(d, 0xc3d2e1f0);
  for (size_t block = 0; block < blocks; block++, words += 16 * kSha1Lanes) {
    V w[16];
    for (size_t t = 0; t < 16; t++) w[t] = hn::LoadU(d, words + t * kSha1Lanes);
    V a = h0, b = h1, c = h2, e = h4, f = h3;  // f is d in the standard
    const auto round = [&](size_t t, V mixed, V constant) HWY_ATTR {
      V word;
      if (t < 16) {
        word = w[t];
      } else {
        word = RotateLeft<1>(
            hn::Xor(hn::Xor(w[(t + 13) % 16], w[(t + 8) % 16]), hn::Xor(w[(t + 2) % 16], w[t % 16])));
        w[t % 16] = word;
      }
      const V next = hn::Add(hn::Add(hn::Add(RotateLeft<5>(a), mixed), hn::Add(e, constant)), word);
      e = f;
      f = c;
      c = RotateLeft<30>(b);
      b = a;
      a = next;
    };
    const V k0 = hn::Set(d, 0x5a827999), k1 = hn::Set(d, 0x6ed9eba1), k2 = hn::Set(d, 0x8f1bbcdc);
    const V k3 = hn::Set(d, 0xca62c1d6);
    for (size_t t = 0; t < 20; t++) round(t, hn::Xor(f, hn::And(b, hn::Xor(c, f))), k0);
    for (size_t t = 20; t < 40; t++) round(t, hn::Xor(hn::Xor(b, c), f), k1);
    for (size_t t = 40; t < 60; t++) round(t, hn::Or(hn::And(b, c), hn::And(f, hn::Or(b, c))), k2);
    for (size_t t = 60; t < 80; t++) round(t, hn::Xor(hn::Xor(b, c), f), k3);
    h0 = hn::Add(h0, a);
    h1 = hn::Add(h1, b);
    h2 = hn::Add(h2, c);
    h3 = hn::Add(h3, f);
    h4 = hn::Add(h4, e);
  }
  hn::StoreU(h0, d, first);
  hn::StoreU(h1, d, second);
}

void Sha1LanesSimd(const uint32_t* words, size_t blocks, uint32_t* first, uint32_t* second) {
  const hn::CappedTag<uint32_t, kSha1Lanes> d;
  for (size_t lane = 0; lane < kSha1Lanes; lane += hn::Lanes(d)) {
    Sha1Group(d, words + lane, blocks, first + lane, second + lane);
  }
}

}  // namespace crivello::dedup::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace crivello::dedup {
namespace {

HWY_EXPORT(UpdateMinimaSimd);
HWY_EXPORT(Sha1LanesSimd);

constexpr size_t kSha1Width = 16;

// Fills lanes with messages of the same number of blocks, and hashes them once all are full.
class Sha1Batch {
 public:
  Sha1Batch(size_t blocks, uint64_t* hashes) : blocks_(blocks), hashes_(hashes) {}

  void Add(std::string_view message, size_t index) {
    alignas(64) uint8_t bytes[128] = {};
    std::memcpy(bytes, message.data(), message.size());
    bytes[message.size()] = 0x80;
    const uint64_t bits = __builtin_bswap64(message.size() * 8);
    std::memcpy(bytes + blocks_ * 64 - sizeof bits, &bits, sizeof bits);
    for (size_t w = 0; w < blocks_ * 16; w++) {
      uint32_t word;
      std::memcpy(&word, bytes + 4 * w, sizeof word);
      words_[w * kSha1Width + used_] = __builtin_bswap32(word);
    }
    indexes_[used_++] = index;
    if (used_ == kSha1Width) Flush();
  }
  // Unfilled lanes are hashed, too, and ignored.
  void Flush() {
    if (used_ == 0) return;
    alignas(64) uint32_t first[kSha1Width], second[kSha1Width];
    HWY_DYNAMIC_DISPATCH(Sha1LanesSimd)(words_, blocks_, first, second);
    for (size_t i = 0; i < used_; i++) {
      hashes_[indexes_[i]] =
          uint64_t{__builtin_bswap32(second[i])} << 32 | uint64_t{__builtin_bswap32(first[i])};
    }
    used_ = 0;
  }

 private:
  const size_t blocks_;
  uint64_t* const hashes_;
  alignas(64) uint32_t words_[32 * kSha1Width] = {};
  size_t indexes_[kSha1Width] = {};
  size_t used_ = 0;
};

}  // namespace

void UpdateMinima(std::span<const uint64_t> hashes, MinHashRows rows) {
  HWY_DYNAMIC_DISPATCH(UpdateMinimaSimd)
  (hashes.data(), hashes.size(), rows.a, rows.b, rows.minima, rows.count);
}

void HashBySha1(std::span<const std::string_view> messages, uint64_t* hashes) {
  constexpr size_t kMostOneBlock = 55;
  Sha1Batch one(1, hashes), two(2, hashes);
  for (size_t i = 0; i < messages.size(); i++) {
    const size_t size = messages[i].size();
    if (size <= kMostOneBlock) {
      one.Add(messages[i], i);
    } else if (size <= kMostSha1LaneBytes) {
      two.Add(messages[i], i);
    } else {
      HashBySha1Plainly(messages.subspan(i, 1), hashes + i);
    }
  }
  one.Flush();
  two.Flush();
}

}  // namespace crivello::dedup
#endif
