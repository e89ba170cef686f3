// SPDX-License-Identifier: Apache-2.0
#include "bits/rans.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <string>

#include "bits/block_codec_bits.h"
#include "bits/rans_model.h"

namespace crivello::bits {
namespace {

using internal::FieldWriter;
using internal::Load64;
using internal::LowBits;

// A state x is in [kLow, kLow 2^32). If a symbol would take it above that, its low half is output; if one
// takes it below, a half is read back. With at least 2^31 over at most 2^16 slots, the rounding loss is
// negligible.
constexpr uint64_t kLow = uint64_t{1} << 31;

constexpr int kMinPrecision = 8;
constexpr int kMantissaBits = 3;
constexpr int kMinDirectBits = kMantissaBits;
constexpr int kMaxDirectBits = 11;

// An integer is coded as a symbol and some verbatim bits. Below 2^k the symbol is the integer; above, it is
// the exponent and the kMantissaBits bits after the highest one.
struct Alphabet {
  int direct_bits;  // k

  size_t SymbolOf(uint32_t value) const {
    if (value >> direct_bits == 0) return value;
    const int exponent = static_cast<int>(std::bit_width(value)) - 1;
    const size_t mantissa = value >> (exponent - kMantissaBits) & ((1u << kMantissaBits) - 1);
    return (size_t{1} << direct_bits) + (static_cast<size_t>(exponent - direct_bits) << kMantissaBits) +
           mantissa;
  }
  // The least integer with a given symbol.
  uint32_t LeastOf(size_t symbol) const {
    if (symbol >> direct_bits == 0) return static_cast<uint32_t>(symbol);
    const size_t above = symbol - (size_t{1} << direct_bits);
    const uint64_t mantissa = LowBits(above, kMantissaBits) | uint64_t{1} << kMantissaBits;
    return static_cast<uint32_t>(
        mantissa << ((above >> kMantissaBits) + static_cast<size_t>(direct_bits) - size_t{kMantissaBits}));
  }
  // The number of verbatim bits of an integer; the same for all integers of a symbol.
  size_t RawBits(uint32_t value) const {
    return value >> direct_bits == 0 ? 0 : static_cast<size_t>(std::bit_width(value)) - 1 - kMantissaBits;
  }
  size_t size() const { return SymbolOf(~0u) + 1; }
};
static_assert((size_t{1} << kMaxDirectBits) + (size_t{32 - kMaxDirectBits} << kMantissaBits) <=
              RansModel::kMaxSymbols);

// Several states are used in turn, so that one does not wait for the multiplication of another. In a short
// sequence they cost more than they gain.
constexpr size_t kMaxStates = 4;
constexpr size_t StatesFor(size_t count) { return count < 2048 ? 1 : kMaxStates; }

struct Choice {
  Alphabet alphabet;
  RansModel model;
};

// The counts of the symbols of `alphabet`, derived from those of a finer one.
std::vector<uint64_t> Coarsen(const std::vector<uint64_t>& counts, Alphabet finer, Alphabet alphabet) {
  std::vector<uint64_t> coarse;
  for (size_t s = 0; s < counts.size(); s++) {
    if (counts[s] == 0) continue;
    const size_t to = alphabet.SymbolOf(finer.LeastOf(s));
    if (coarse.size() <= to) coarse.resize(to + 1);
    coarse[to] += counts[s];
  }
  return coarse;
}

// The alphabet and precision for which model and data together are smallest. Of two precisions within a
// thousandth, the lower one, because its table is smaller. REQUIRES: in is not empty.
Choice ChooseTable(std::span<const uint32_t> in) {
  const Alphabet finest = {kMaxDirectBits};
  std::vector<uint64_t> counts(finest.size());
  for (const uint32_t value : in) counts[finest.SymbolOf(value)]++;
  std::optional<Choice> best;
  double best_bits = 0;
  for (const int direct_bits : {4, 8, kMaxDirectBits}) {
    const Alphabet alphabet = {direct_bits};
    const std::vector<uint64_t> coarse = Coarsen(counts, finest, alphabet);
    uint64_t raw_bits = 0;
    for (size_t s = 0; s < coarse.size(); s++) raw_bits += coarse[s] * alphabet.RawBits(alphabet.LeastOf(s));
    for (int precision = kMinPrecision; precision <= RansModel::kMaxPrecision; precision++) {
      Result<RansModel> model = RansModel::FromCounts(precision, coarse);
      if (!model.ok()) continue;  // more symbols than slots
      std::vector<uint8_t> bytes;
      model->AppendTo(&bytes);
      const double bits =
          model->CostInBits(coarse) + 8 * static_cast<double>(bytes.size()) + static_cast<double>(raw_bits);
      if (best && bits >= best_bits * 0.999) continue;
      best.emplace(Choice{alphabet, *std::move(model)});
      best_bits = bits;
    }
  }
  return *best;  // there is always one: no alphabet exceeds 2^kMaxPrecision
}

void AppendLength(uint64_t length, std::vector<uint8_t>* out) {
  for (; length >= 0x80; length >>= 7) out->push_back(static_cast<uint8_t>(length | 0x80));
  out->push_back(static_cast<uint8_t>(length));
}

void AppendWord(uint64_t word, size_t bytes, std::vector<uint8_t>* out) {
  for (size_t i = 0; i < bytes; i++) out->push_back(static_cast<uint8_t>(word >> 8 * i));
}

// Reads the parts of a code in order.
class Reader {
 public:
  explicit Reader(Bytes in) : in_(reinterpret_cast<const uint8_t*>(in.data()), in.size()) {}

  size_t at() const { return at_; }
  Result<std::span<const uint8_t>> Take(uint64_t bytes) {
    if (bytes > in_.size() - at_) {
      return Status::Corruption("rans: " + std::to_string(bytes) + " bytes at " + std::to_string(at_) +
                                ", of which " + std::to_string(in_.size() - at_) + " are there");
    }
    at_ += bytes;
    return in_.subspan(at_ - bytes, bytes);
  }
  Result<uint64_t> Length() {
    uint64_t length = 0;
    for (int shift = 0; shift < 63; shift += 7) {
      CRV_ASSIGN(const std::span<const uint8_t> byte, Take(1));
      length |= uint64_t{byte[0] & 0x7fu} << shift;
      if (byte[0] < 0x80) return length;
    }
    return Status::Corruption("rans: corrupt: a length of more than 63 bits at byte " + std::to_string(at_));
  }

 private:
  std::span<const uint8_t> in_;
  size_t at_ = 0;
};

// The meaning of a slot of the model.
struct Slot {
  uint32_t least;  // least integer of its symbol
  uint16_t frequency_less_1;
  uint16_t offset;  // from the symbol's first slot
};

std::vector<Slot> MakeSlots(const RansModel& model, Alphabet alphabet) {
  std::vector<Slot> slots(size_t{1} << model.precision());
  for (size_t s = 0; s < model.symbols(); s++) {
    const uint32_t f = model.frequency(s);
    for (uint32_t i = 0; i < f; i++) {
      slots[model.cumulative(s) + i] = {alphabet.LeastOf(s), static_cast<uint16_t>(f - 1),
                                        static_cast<uint16_t>(i)};
    }
  }
  return slots;
}

// The part of decoding that depends only on the bytes.
struct Decoder {
  Alphabet alphabet;
  int precision;
  const Slot* slots;
  const uint8_t* words;  // the next word
  const uint8_t* words_end;
  const uint8_t* raw;  // followed by eight bytes with any content
  size_t raw_bytes;
  size_t raw_bit = 0;

  // False if a needed word is missing, which only kChecked checks; without it, REQUIRES that there is one.
  template <bool kChecked>
  bool Next(uint64_t& state, uint32_t& value) {
    const Slot slot = slots[LowBits(state, static_cast<size_t>(precision))];
    state = (uint64_t{slot.frequency_less_1} + 1) * (state >> precision) + slot.offset;
    if (state < kLow)
        [[unlikely]] {  // once in 32 bits; doing it always, without a branch, takes half as long again
      if (kChecked && words == words_end) return false;
      uint32_t word;
      std::memcpy(&word, words, 4);
      words += 4;
      state = state << 32 | word;
    }
    value = slot.least + RawBitsOf(slot);
    return true;
  }
  uint32_t RawBitsOf(const Slot& slot) {
    const size_t bits = alphabet.RawBits(slot.least);
    // Damaged bytes may require more than there is; that is detected at the end.
    const uint64_t fields = Load64(raw + std::min(raw_bit / 8, raw_bytes)) >> raw_bit % 8;
    raw_bit += bits;
    return static_cast<uint32_t>(LowBits(fields, bits));
  }
};

// False if the bytes are not a code of that many integers.
template <size_t... kJ>
bool DecodeAll(Decoder decoder, std::array<uint64_t, sizeof...(kJ)> states, std::span<uint32_t> out,
               std::index_sequence<kJ...>) {
  constexpr size_t kStates = sizeof...(kJ);
  size_t i = 0;
  for (; out.size() - i >= kStates && decoder.words_end - decoder.words >= ptrdiff_t{4 * kStates};
       i += kStates) {
    (decoder.Next<false>(states[kJ], out[i + kJ]), ...);
  }
  for (; i < out.size(); i++) {
    if (!decoder.Next<true>(states[i % kStates], out[i])) return false;
  }
  return decoder.words == decoder.words_end && internal::BytesOf(decoder.raw_bit) == decoder.raw_bytes &&
         std::all_of(states.begin(), states.end(), [](uint64_t state) { return state == kLow; });
}

template <size_t kStates>
std::array<uint64_t, kStates> LoadStates(std::span<const uint8_t> bytes) {
  std::array<uint64_t, kStates> states;
  for (size_t i = 0; i < kStates; i++) states[i] = Load64(bytes.data() + 8 * i);
  return states;
}

}  // namespace

void RansEncode(std::span<const uint32_t> in, std::vector<uint8_t>* out) {
  if (in.empty()) return;
  const auto [alphabet, model] = ChooseTable(in);
  out->push_back(static_cast<uint8_t>((model.precision() - kMinPrecision) << 4 |
                                      (alphabet.direct_bits - kMinDirectBits)));
  model.AppendTo(out);

  // Pushed in reverse order, so that they are popped in order.
  std::array<uint64_t, kMaxStates> states;
  states.fill(kLow);
  const size_t states_used = StatesFor(in.size());
  std::vector<uint32_t> words;
  for (size_t i = in.size(); i-- > 0;) {
    const size_t symbol = alphabet.SymbolOf(in[i]);
    const uint64_t f = model.frequency(symbol);
    uint64_t& state = states[i % states_used];
    if (state >= f << (63 - model.precision())) {
      words.push_back(static_cast<uint32_t>(state));
      state >>= 32;
    }
    state = (state / f << model.precision()) + model.cumulative(symbol) + state % f;
  }
  std::vector<uint8_t> raw;
  FieldWriter fields(&raw);
  for (const uint32_t value : in) {
    const size_t bits = alphabet.RawBits(value);
    fields.Append(LowBits(value, bits), bits);
  }
  fields.Finish();

  AppendLength(words.size(), out);
  AppendLength(raw.size(), out);
  for (size_t i = 0; i < states_used; i++) AppendWord(states[i], 8, out);
  std::for_each(words.rbegin(), words.rend(), [out](uint32_t word) { AppendWord(word, 4, out); });
  out->insert(out->end(), raw.begin(), raw.end());
}

Result<size_t> RansDecode(Bytes in, std::span<uint32_t> out) {
  if (out.empty()) return size_t{0};
  Reader reader(in);
  CRV_ASSIGN(const std::span<const uint8_t> parameters, reader.Take(1));
  const int precision = kMinPrecision + (parameters[0] >> 4);
  const Alphabet alphabet = {kMinDirectBits + (parameters[0] & 15)};
  if (precision > RansModel::kMaxPrecision || alphabet.direct_bits > kMaxDirectBits) {
    return Status::Corruption("rans: corrupt: impossible parameters " + std::to_string(parameters[0]));
  }
  size_t model_bytes = 0;
  CRV_ASSIGN(const RansModel model, RansModel::Read(precision, in.subspan(reader.at()), &model_bytes));
  if (model.symbols() > alphabet.size()) {
    return Status::Corruption("rans: " + std::to_string(model.symbols()) + " symbols of an alphabet of " +
                              std::to_string(alphabet.size()));
  }
  CRV_TRY(reader.Take(model_bytes));
  CRV_ASSIGN(const uint64_t word_count, reader.Length());
  CRV_ASSIGN(const uint64_t raw_count, reader.Length());
  if (word_count > in.size() / 4) {
    return Status::Corruption("rans: " + std::to_string(word_count) + " words in " +
                              std::to_string(in.size()) + " bytes");
  }
  const size_t states_used = StatesFor(out.size());
  CRV_ASSIGN(const std::span<const uint8_t> states, reader.Take(8 * states_used));
  CRV_ASSIGN(const std::span<const uint8_t> words, reader.Take(4 * word_count));
  CRV_ASSIGN(const std::span<const uint8_t> raw, reader.Take(raw_count));

  // A padded copy, so that the loop may load eight bytes anywhere in it.
  std::vector<uint8_t> padded_raw(raw.begin(), raw.end());
  padded_raw.resize(raw.size() + 8);
  const std::vector<Slot> slots = MakeSlots(model, alphabet);
  const Decoder decoder = {.alphabet = alphabet,
                           .precision = precision,
                           .slots = slots.data(),
                           .words = words.data(),
                           .words_end = words.data() + words.size(),
                           .raw = padded_raw.data(),
                           .raw_bytes = raw.size()};
  const bool good =
      states_used == 1
          ? DecodeAll(decoder, LoadStates<1>(states), out, std::make_index_sequence<1>())
          : DecodeAll(decoder, LoadStates<kMaxStates>(states), out, std::make_index_sequence<kMaxStates>());
  if (!good)
    return Status::Corruption("rans: corrupt: the bytes do not encode the expected number of integers");
  return reader.at();
}

}  // namespace crivello::bits
