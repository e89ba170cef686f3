// SPDX-License-Identifier: Apache-2.0
#include "base/units/quantity.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <span>

#include "base/ascii.h"
#include "base/hash.h"

namespace crivello {
namespace {

struct Unit {
  std::string_view name;
  uint64_t factor;
};

constexpr Unit kSizes[] = {{"", 1},
                           {"k", uint64_t{1} << 10},
                           {"m", uint64_t{1} << 20},
                           {"g", uint64_t{1} << 30},
                           {"t", uint64_t{1} << 40}};
constexpr Unit kCounts[] = {{"", 1}, {"k", 1000}, {"m", 1000000}, {"g", 1000000000}};
constexpr Unit kTimes[] = {{"", 1000000000},
                           {"ns", 1},
                           {"us", 1000},
                           {"ms", 1000000},
                           {"s", 1000000000},
                           {"m", 60 * uint64_t{1000000000}},
                           {"h", 3600 * uint64_t{1000000000}},
                           {"d", 86400 * uint64_t{1000000000}}};

constexpr size_t kMaxFractionDigits = 9;

// The value of `text` in the smallest unit, exactly; nullopt if it is not such a quantity or exceeds `max`.
// Fractions of the smallest unit are dropped.
std::optional<uint64_t> ParseQuantity(std::string_view text, std::span<const Unit> units, uint64_t max) {
  uint64_t whole = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), whole);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));

  uint64_t fraction = 0, scale = 1;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    size_t digits = 0;
    for (; digits < text.size() && text[digits] >= '0' && text[digits] <= '9'; digits++) {
      if (digits >= kMaxFractionDigits) continue;
      fraction = fraction * 10 + static_cast<uint64_t>(text[digits] - '0');
      scale *= 10;
    }
    if (digits == 0) return std::nullopt;
    text.remove_prefix(digits);
  }
  for (const Unit& unit : units) {
    if (unit.name != text) continue;
    if (scale > 1 && unit.factor == 1) return std::nullopt;  // half a byte
    const Uint128 value =
        static_cast<Uint128>(whole) * unit.factor + static_cast<Uint128>(fraction) * unit.factor / scale;
    if (value > max) return std::nullopt;
    return static_cast<uint64_t>(value);
  }
  return std::nullopt;
}

// In the largest unit that gives an integer; parses to the same value.
std::string Exact(uint64_t value, std::span<const Unit> units) {
  const Unit* best = nullptr;
  for (const Unit& unit : units) {
    if (value % unit.factor == 0 && (best == nullptr || unit.factor >= best->factor)) best = &unit;
  }
  return value == 0 || best == nullptr ? std::to_string(value)
                                       : fmt::format("{}{}", value / best->factor, best->name);
}

}  // namespace

Result<uint64_t> ParseSize(std::string_view text) {
  std::string lower = ToAsciiLower(text);
  std::string_view number = lower;
  if (number.ends_with("ib")) {
    number.remove_suffix(2);
    if (number.empty() || (number.back() >= '0' && number.back() <= '9')) number = "";  // "5ib"
  } else if (number.ends_with("b")) {
    number.remove_suffix(1);
  }
  const auto bytes = ParseQuantity(number, kSizes, UINT64_MAX);
  if (!bytes)
    return Status::InvalidArgument(
        fmt::format("invalid size '{}': expected a number such as 4096, 512M or 1.5G", text));
  return *bytes;
}

Result<uint64_t> ParseCount(std::string_view text) {
  const auto count = ParseQuantity(ToAsciiLower(text), kCounts, UINT64_MAX);
  if (!count)
    return Status::InvalidArgument(
        fmt::format("invalid count '{}': expected a number such as 5000, 200k or 1.5M", text));
  return *count;
}

Result<Duration> ParseDuration(std::string_view text) {
  const auto nanoseconds = ParseQuantity(text, kTimes, INT64_MAX);
  if (!nanoseconds) {
    return Status::InvalidArgument(
        fmt::format("'{}' is not a duration; try 0.05 (seconds), 50ms or 2h", text));
  }
  return Duration(static_cast<int64_t>(*nanoseconds));
}

Result<double> ParseProbability(std::string_view text) {
  std::string_view number = text;
  const bool is_power = number.starts_with("2^");
  if (is_power) number.remove_prefix(2);
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  const bool is_number = error == std::errc() && end == number.data() + number.size();
  if (is_power) value = std::exp2(value);
  if (!is_number || !(value > 0 && value < 1)) {
    return Status::InvalidArgument(fmt::format(
        "invalid probability '{}': expected a number between 0 and 1, such as 0.01 or 2^-20", text));
  }
  return value;
}

std::string FormatSize(uint64_t bytes) {
  constexpr std::string_view kNames[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  size_t i = 0;
  auto value = static_cast<double>(bytes);
  for (; value >= 1024 && i + 1 < std::size(kNames); i++) value /= 1024;
  const int decimals = i == 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return fmt::format("{:.{}f} {}", value, decimals, kNames[i]);
}

std::string ExactSize(uint64_t bytes) {
  std::string text = Exact(bytes, kSizes);
  for (char& c : text) {
    if (c != 'k' && c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

std::string ExactDuration(Duration duration) {
  return Exact(static_cast<uint64_t>(duration.count()), kTimes);
}

}  // namespace crivello
