// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/status.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace crivello::cli {

// Quantities as people write them.  A value that does not parse is InvalidArgument and tells what would.

// Bytes: a number, with an optional fraction if a unit follows, of k, M, G, T (powers of 1024; "KiB", "MB"
// and the like are taken for the same): "4096", "512M", "1.5G".
Result<uint64_t> ParseSize(std::string_view text);

// A time span, not negative: seconds ("0.05", "30"), or with a unit of ns, us, ms, s, m, h, d: "50ms", "2h".
Result<Duration> ParseDuration(std::string_view text);

// A count: a number, with an optional fraction if a unit of k, M, G (powers of 1000) follows: "200M", "1.5k".
Result<uint64_t> ParseCount(std::string_view text);

// A probability above 0 and below 1: "0.01", "1e-6", or a power of two, "2^-20".
Result<double> ParseProbability(std::string_view text);

// "512 MiB", "1.5 GiB", "37 B": three digits or so.
std::string FormatSize(uint64_t bytes);

// Options that take them.
CLI::Option* AddSizeOption(CLI::App& app, const std::string& name, uint64_t& bytes, const std::string& about);
CLI::Option* AddDurationOption(CLI::App& app, const std::string& name, Duration& duration,
                               const std::string& about);
CLI::Option* AddCountOption(CLI::App& app, const std::string& name, uint64_t& count,
                            const std::string& about);
// Several, in place of those that were there.
CLI::Option* AddCountListOption(CLI::App& app, const std::string& name, std::vector<uint64_t>& counts,
                                const std::string& about);

}  // namespace crivello::cli
