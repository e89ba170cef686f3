// SPDX-License-Identifier: Apache-2.0
#include "cli/logger.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "base/ascii.h"
#include "base/civil_time.h"
#include "cli/output.h"

namespace crivello::cli {
namespace {

constexpr std::array<std::string_view, 4> kLevels = {"error", "warning", "info", "debug"};
constexpr std::array<std::string_view, 3> kFormats = {"plain", "text", "json"};

// "2026-01-02T03:04:05.678Z".
std::string Timestamp(WallTime time) {
  const int64_t microseconds = ToMicroseconds(time);
  std::string text = FormatRfc3339(microseconds / 1'000'000);
  text.insert(text.size() - 1, fmt::format(".{:03}", microseconds / 1000 % 1000));
  return text;
}

std::string TextOf(const LogField& field) {
  if (const auto* number = std::get_if<uint64_t>(&field.value)) return std::to_string(*number);
  if (const auto* number = std::get_if<double>(&field.value)) return fmt::format("{:.3f}", *number);
  const std::string text = Printable(std::get<std::string>(field.value));
  if (!text.empty() && text.find_first_of(" \"=") == std::string::npos) return text;
  return DoubleQuoted(text);
}

}  // namespace

std::string_view NameOf(LogLevel level) { return kLevels[static_cast<size_t>(level)]; }

std::optional<LogLevel> FindLogLevel(std::string_view name) {
  for (size_t i = 0; i < kLevels.size(); i++) {
    if (kLevels[i] == name) return static_cast<LogLevel>(i);
  }
  return std::nullopt;
}

std::optional<LogFormat> FindLogFormat(std::string_view name) {
  for (size_t i = 0; i < kFormats.size(); i++) {
    if (kFormats[i] == name) return static_cast<LogFormat>(i);
  }
  return std::nullopt;
}

std::string Logger::Line(LogLevel level, std::string_view event, std::string_view sentence,
                         std::initializer_list<LogField> fields) const {
  switch (format_) {
    case LogFormat::kPlain:
      return (level <= LogLevel::kWarning ? "crivello: " : "") + Printable(sentence);
    case LogFormat::kText: {
      std::string line =
          fmt::format("{} {} {}: {}", Timestamp(clock_.Wall()), NameOf(level), event, Printable(sentence));
      for (const LogField& field : fields) line += fmt::format(" {}={}", field.name, TextOf(field));
      return line;
    }
    case LogFormat::kJson:
      break;
  }
  nlohmann::ordered_json json = {
      {"time", Timestamp(clock_.Wall())}, {"level", NameOf(level)}, {"event", event}, {"message", sentence}};
  for (const LogField& field : fields) {
    std::visit([&](const auto& value) { json[std::string(field.name)] = value; }, field.value);
  }
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

void Logger::Write(LogLevel level, std::string_view event, std::string_view sentence,
                   std::initializer_list<LogField> fields) {
  if (!Wants(level)) return;
  const std::string line = Line(level, event, sentence, fields) + "\n";
  MutexLock lock(mu_);
  to_.Write(line);
  to_.Flush().IgnoreError();
}

}  // namespace crivello::cli
