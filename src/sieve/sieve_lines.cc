// SPDX-License-Identifier: Apache-2.0
#include "sieve/sieve_lines.h"

#include <fmt/format.h>

#include <charconv>
#include <iterator>

namespace crivello::sieve {
namespace {

constexpr size_t kSignatureDigits = 16;
constexpr size_t kShownBytes = 60;

std::string Shown(std::string_view text) {
  return std::string(text.substr(0, kShownBytes)) + (text.size() > kShownBytes ? "…" : "");
}

// All of `text` as a number.
std::optional<uint64_t> Number(std::string_view text, int base) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<uint64_t> Signature(std::string_view text) {
  if (text.size() != kSignatureDigits) return std::nullopt;
  // Upper case would sort differently.
  if (text.find_first_not_of("0123456789abcdef") != std::string_view::npos) return std::nullopt;
  return Number(text, 16);
}

}  // namespace

Result<UrlLine> ParseUrlLine(std::string_view line) {
  if (line.empty()) return Status::Corruption("the line is empty");
  const size_t tab = line.find('\t');
  if (tab == std::string_view::npos) return UrlLine{.url = line};
  const auto ordinal = Number(line.substr(0, tab), 10);
  if (!ordinal)
    return Status::Corruption(
        fmt::format("invalid ordinal '{}': expected a decimal number", Shown(line.substr(0, tab))));
  return UrlLine{.ordinal = ordinal, .url = line.substr(tab + 1)};
}

Result<uint64_t> ParseSignatureLine(std::string_view line) {
  const auto signature = Signature(line);
  if (!signature) {
    return Status::Corruption(fmt::format("invalid signature '{}': expected {} characters of 0-9a-f",
                                          Shown(line), kSignatureDigits));
  }
  return *signature;
}

Result<SieveLine> ParseSieveLine(std::string_view line) {
  const size_t first = line.find('\t');
  const size_t second = first == std::string_view::npos ? first : line.find('\t', first + 1);
  if (second == std::string_view::npos) {
    return Status::Corruption(
        fmt::format("invalid line '{}': expected SIGNATURE TAB ORDINAL TAB URL", Shown(line)));
  }
  SieveLine parsed;
  CRV_ASSIGN(parsed.signature, ParseSignatureLine(line.substr(0, first)));
  const std::string_view digits = line.substr(first + 1, second - first - 1);
  const auto ordinal = Number(digits, 10);
  if (!ordinal)
    return Status::Corruption(fmt::format("invalid ordinal '{}': expected a decimal number", Shown(digits)));
  parsed.ordinal = *ordinal;
  parsed.url = line.substr(second + 1);
  if (parsed.url.empty()) return Status::Corruption("the URL is missing");
  if (parsed.url.find('\t') != std::string_view::npos) return Status::Corruption("the URL contains a TAB");
  return parsed;
}

void AppendSignatureLine(uint64_t signature, std::string* out) {
  fmt::format_to(std::back_inserter(*out), "{:016x}\n", signature);
}

void AppendSieveLine(const SieveLine& line, std::string* out) {
  fmt::format_to(std::back_inserter(*out), "{:016x}\t{:020}\t{}\n", line.signature, line.ordinal, line.url);
}

}  // namespace crivello::sieve
