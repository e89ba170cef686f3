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
  kPlain,  // the sentence alone, for people
  kText,   // time, level, event, sentence, then name=value
  kJson,   // an object a line
};
std::optional<LogFormat> FindLogFormat(std::string_view name);

// A number or text that belongs to an event, under a name that keeps its meaning (docs/logging.md).
struct LogField {
  std::string_view name;
  std::variant<uint64_t, double, std::string> value;
};

// What happens to the program, for whoever runs it: one line an event, on standard error.  The library tells
// what happens by values and callbacks, and this is where they go; it never holds what someone searched for.
// Thread-safe; the level may change at any moment.
class Logger {
 public:
  explicit Logger(Writer& to, LogFormat format = LogFormat::kPlain, LogLevel level = LogLevel::kInfo,
                  const Clock& clock = SystemClock())
      : to_(to), format_(format), level_(level), clock_(clock) {}

  LogFormat format() const { return format_; }
  LogLevel level() const { return level_.load(std::memory_order_relaxed); }
  void set_level(LogLevel level) { level_.store(level, std::memory_order_relaxed); }
  bool Wants(LogLevel level) const { return level <= this->level(); }

  // `event` is a name that stays, `sentence` is for people; text from elsewhere may stand in both it and
  // fields.
  void Write(LogLevel level, std::string_view event, std::string_view sentence,
             std::initializer_list<LogField> fields = {}) CRV_EXCLUDES(mu_);

 private:
  std::string Line(LogLevel level, std::string_view event, std::string_view sentence,
                   std::initializer_list<LogField> fields) const;

  Writer& to_;
  const LogFormat format_;
  std::atomic<LogLevel> level_;  // a level too many or too few for a moment harms nobody
  const Clock& clock_;
  Mutex mu_;  // a line at a time
};

}  // namespace crivello::cli
