// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/clock.h"
#include "base/mutex.h"
#include "cli/writer.h"

namespace crivello::cli {

enum class LogLevel : int { kError, kWarning, kInfo, kDebug };
std::string_view NameOf(LogLevel level);
std::optional<LogLevel> FindLogLevel(std::string_view name);

enum class LogFormat : uint8_t {
  kPlain,  // only the sentence, for people
  kText,   // time, level, event, sentence, then name=value
  kJson,   // one object per line
};
std::optional<LogFormat> FindLogFormat(std::string_view name);

// A number or text that belongs to an event, under a stable name (docs/logging.md).
struct LogField {
  std::string_view name;
  std::variant<uint64_t, double, std::string> value;
};

// The event log of the program, for operators: one line per event, on standard error.  The library reports
// events by values and callbacks, which end up here; the log never contains search queries. Thread-safe; the
// level may change at any time.
class Logger {
 public:
  explicit Logger(Writer& to, LogFormat format = LogFormat::kPlain, LogLevel level = LogLevel::kInfo,
                  const Clock& clock = SystemClock())
      : to_(to), format_(format), level_(level), clock_(clock) {}

  LogFormat format() const { return format_; }
  LogLevel level() const { return level_.load(std::memory_order_relaxed); }
  void set_level(LogLevel level) { level_.store(level, std::memory_order_relaxed); }
  bool Wants(LogLevel level) const { return level <= this->level(); }

  // `event` is a stable name, `sentence` is for people; text from elsewhere may occur in both the sentence
  // and the fields.
  void Write(LogLevel level, std::string_view event, std::string_view sentence,
             std::initializer_list<LogField> fields = {}) CRV_EXCLUDES(mu_);

 private:
  std::string Line(LogLevel level, std::string_view event, std::string_view sentence,
                   std::initializer_list<LogField> fields) const;

  Writer& to_;
  const LogFormat format_;
  std::atomic<LogLevel> level_;  // a short delay in changing the level does no harm
  const Clock& clock_;
  Mutex mu_;  // writes one line at a time
};

}  // namespace crivello::cli
