// SPDX-License-Identifier: Apache-2.0
// Detection, starting with what can be proved: NULs, escapes, UTF-8. Then the best reading as a language in a
// single-byte encoding; then the East Asian encodings, where uchardet names the likeliest one and the
// structure must agree.
#include <uchardet/uchardet.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include "charset/charset.h"
#include "charset/charset_language.h"
#include "charset/charset_multibyte.h"
#include "charset/charset_prescan.h"
#include "charset/utf8.h"

namespace crivello::charset {
namespace {

// A reading that costs more per pair of neighbours is noise: text in its own language costs 3 to 7 bits, East
// Asian text read as letters more than 8.
constexpr double kLanguageBitsPerPair = 7.3;

// UTF-16 without a mark: NULs, which other texts do not have, nearly all at the same parity (the high bytes
// of Latin letters, digits, spaces, line ends).
std::optional<Encoding> SniffUtf16(std::string_view bytes) {
  std::array<size_t, 2> nuls = {0, 0};
  for (size_t at = bytes.find('\0'); at != std::string_view::npos; at = bytes.find('\0', at + 1))
    nuls[at & 1]++;
  const size_t all = nuls[0] + nuls[1];
  if (all < 2 || all * 100 < bytes.size()) return std::nullopt;
  if (nuls[0] * 20 >= all * 19) return Encoding::kUtf16Be;
  if (nuls[1] * 20 >= all * 19) return Encoding::kUtf16Le;
  return std::nullopt;
}

// Seven-bit encodings, recognised by the escape that starts every text in them.
std::optional<Encoding> SniffEscapes(std::string_view bytes) {
  for (size_t at = bytes.find('\x1b'); at != std::string_view::npos; at = bytes.find('\x1b', at + 1)) {
    const std::string_view escape = bytes.substr(at + 1, 3);
    if (escape.substr(0, 2) == "$B" || escape.substr(0, 2) == "$@") return Encoding::kIso2022Jp;
    if (escape == "$)C") return Encoding::kReplacement;  // ISO-2022-KR
  }
  return std::nullopt;
}

struct Utf8Count {
  size_t sequences = 0;
  size_t errors = 0;
};
Utf8Count CountUtf8(std::string_view bytes) {
  Utf8Count count;
  for (size_t i = 0; i < bytes.size();) {
    const Utf8Sequence sequence = Utf8SequenceAt(bytes, i);
    if (sequence.length > 1 && sequence.valid) count.sequences++;
    // A sequence cut by the end of the sample is not an error.
    if (!sequence.valid && (i + sequence.length < bytes.size() || count.sequences == 0)) count.errors++;
    i += sequence.length;
  }
  return count;
}

std::optional<Encoding> AskUchardet(std::string_view bytes) {
  struct Delete {
    void operator()(uchardet_t detector) const { uchardet_delete(detector); }
  };
  const std::unique_ptr<std::remove_pointer_t<uchardet_t>, Delete> detector(uchardet_new());
  if (uchardet_handle_data(detector.get(), bytes.data(), bytes.size()) != 0) return std::nullopt;
  uchardet_data_end(detector.get());
  const std::string_view name = uchardet_get_charset(detector.get());
  if (name == "UHC") return Encoding::kEucKr;
  return EncodingForLabel(name);
}

// The East Asian encoding of the text, if its sequences are valid in one.
std::optional<CharsetDecision> DetectMultiByte(std::string_view bytes) {
  const auto counts = internal::CountMultiByte(bytes);
  const auto plausible = [](const internal::MultiByteCount& count) {
    return count.characters >= 2 && count.errors * 50 <= count.characters && count.common_share() >= 0.6;
  };
  if (std::none_of(counts.begin(), counts.end(), plausible)) return std::nullopt;
  auto asked = AskUchardet(bytes);
  if (asked == Encoding::kGb18030) asked = Encoding::kGbk;  // one decoder for both; pages use the label GBK
  // The smaller the zone that contains nearly all characters, the stronger the evidence. So Korean is first.
  constexpr std::array<Encoding, 5> kOrder = {Encoding::kEucKr, Encoding::kEucJp, Encoding::kShiftJis,
                                              Encoding::kGbk, Encoding::kBig5};
  const internal::MultiByteCount* best = nullptr;
  for (const Encoding encoding : kOrder) {
    const auto count =
        std::find_if(counts.begin(), counts.end(), [&](const auto& c) { return c.encoding == encoding; });
    if (!plausible(*count)) continue;
    if (asked == encoding) return CharsetDecision{encoding, CharsetSource::kDetected, 0.95};
    if (best == nullptr || count->common_share() > best->common_share()) best = &*count;
  }
  return CharsetDecision{best->encoding, CharsetSource::kDetected, 0.6};
}

CharsetDecision Detected(Encoding encoding, double confidence) {
  return {encoding, CharsetSource::kDetected, confidence};
}

}  // namespace

CharsetDecision DetectCharset(std::string_view bytes, const CharsetOptions& options) {
  bytes = bytes.substr(0, options.detect_bytes);
  if (const auto encoding = SniffByteOrderMark(bytes)) return {*encoding, CharsetSource::kByteOrderMark, 1};
  if (const auto encoding = SniffUtf16(bytes)) return Detected(*encoding, 0.95);
  if (IsAscii(bytes)) {
    if (const auto encoding = SniffEscapes(bytes)) return Detected(*encoding, 0.95);
    return {options.fallback, CharsetSource::kDefault, 0};
  }
  // A stray byte, from a cut or an included page, does not change the encoding of a UTF-8 page.
  const Utf8Count utf8 = CountUtf8(bytes);
  if (utf8.sequences > 20 * utf8.errors) return Detected(Encoding::kUtf8, utf8.errors == 0 ? 0.99 : 0.9);

  internal::BytePairs pairs = internal::CountBytePairs(bytes, true);
  if (pairs.high_bytes == 0) pairs = internal::CountBytePairs(bytes, false);
  const internal::Reading reading = internal::BestSingleByteReading(pairs, options.language);
  const bool latin_like = pairs.lone_high_bytes * 2 > pairs.high_bytes;
  if (!latin_like && reading.bits_per_pair > kLanguageBitsPerPair) {
    if (const auto decision = DetectMultiByte(bytes)) return *decision;
  }
  // Certain at about 20 bits between the best reading and the next.
  const double confidence = std::clamp(0.3 + reading.margin / 32, 0.3, 0.95);
  return Detected(reading.encoding, confidence);
}

}  // namespace crivello::charset
