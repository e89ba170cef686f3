// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/status.h"

namespace crivello {

// Quantities as users write them.  InvalidArgument for an invalid value says what is valid.

// Bytes: a number, with an optional fraction if a unit follows: k, M, G, T (powers of 1024; "KiB", "MB" and
// so on mean the same): "4096", "512M", "1.5G".
Result<uint64_t> ParseSize(std::string_view text);

// A non-negative duration: seconds ("0.05", "30"), or with a unit ns, us, ms, s, m, h, d: "50ms", "2h".
Result<Duration> ParseDuration(std::string_view text);

// A count: a number, with an optional fraction if a unit k, M, G (powers of 1000) follows: "200M", "1.5k".
Result<uint64_t> ParseCount(std::string_view text);

// A probability between 0 and 1, exclusive: "0.01", "1e-6", or a power of two, "2^-20".
Result<double> ParseProbability(std::string_view text);

// "512 MiB", "1.5 GiB", "37 B": about three digits.
std::string FormatSize(uint64_t bytes);

// In the largest unit that gives an integer: parses to the same value.
std::string ExactSize(uint64_t bytes);
std::string ExactDuration(Duration duration);

}  // namespace crivello
