// SPDX-License-Identifier: Apache-2.0
#include "cli/units.h"

#include <CLI/CLI.hpp>
#include <string_view>

namespace crivello::cli {
namespace {

constexpr int kMaxListed = 1000;  // CLI11 reads "unlimited" as one at a time

// Parses words instead of CLI11, whose own units support neither fractions nor time.
template <typename T>
T ParseWord(Result<T> (*parse)(std::string_view), const std::string& word) {
  const Result<T> parsed = parse(word);
  if (!parsed.ok()) throw CLI::ValidationError(parsed.status().message());
  return *parsed;
}

template <typename T>
CLI::Option* AddParsed(CLI::App& app, const std::string& name, T& value, const std::string& about,
                       const char* type, Result<T> (*parse)(std::string_view), std::string (*print)(T)) {
  const auto assign = [&value, parse](const CLI::results_t& words) {
    value = ParseWord(parse, words.front());
    return true;
  };
  return app.add_option(name, assign, about, false, [&value, print] { return print(value); })
      ->type_name(type);
}

std::string ExactCount(uint64_t count) { return std::to_string(count); }

}  // namespace

CLI::Option* AddSizeOption(CLI::App& app, const std::string& name, uint64_t& bytes,
                           const std::string& about) {
  return AddParsed(app, name, bytes, about, "SIZE", ParseSize, ExactSize);
}

CLI::Option* AddDurationOption(CLI::App& app, const std::string& name, Duration& duration,
                               const std::string& about) {
  return AddParsed(app, name, duration, about, "TIME", ParseDuration, ExactDuration);
}

CLI::Option* AddCountOption(CLI::App& app, const std::string& name, uint64_t& count,
                            const std::string& about) {
  return AddParsed(app, name, count, about, "N", ParseCount, ExactCount);
}

CLI::Option* AddCountListOption(CLI::App& app, const std::string& name, std::vector<uint64_t>& counts,
                                const std::string& about) {
  const auto assign = [&counts](const CLI::results_t& words) {
    counts.clear();
    for (const auto& word : words) counts.push_back(ParseWord(ParseCount, word));
    return true;
  };
  return app.add_option(name, assign, about)->type_name("N")->expected(1, kMaxListed);
}

}  // namespace crivello::cli
