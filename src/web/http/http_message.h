// SPDX-License-Identifier: Apache-2.0
// HTTP heads as found in archives: status or request line and fields, from servers of three decades.
//
// Parsing never fails; malformed lines are kept and counted. Lines end in CRLF or LF. A line that starts with
// a space continues the one before (obs-fold). The reason may be missing. A line without a colon is a field
// without a name. Bytes without a status line are a body of HTTP/0.9.
//
// All views point into the parsed bytes, which the caller must keep alive. Linear time; at most max_fields
// fields and max_head_bytes of head are read. The types are plain values: copyable, movable, immutable once
// made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crivello::web {

struct HttpField {
  std::string_view name;   // as sent; empty for a line without a colon
  std::string_view value;  // trimmed; a folded value still contains its line breaks
  bool folded = false;

  // The value with each line break and the spaces around it replaced by one space (RFC 9112, section 5.2).
  std::string Unfolded() const;
};

class HttpFields {
 public:
  const std::vector<HttpField>& all() const { return fields_; }
  // Lines without a colon, or continuation lines without a line to continue.
  size_t malformed() const { return malformed_; }
  // True if there were more fields than the limit.
  bool cut() const { return cut_; }

  // The first field of this name, in any case: "" if its value is empty, nullopt if there is none. Linear.
  std::optional<std::string_view> Find(std::string_view name) const;
  size_t Count(std::string_view name) const;
  // The values of all fields of this name, in order, as one list: "a, b" (RFC 9110, section 5.3).
  std::string Joined(std::string_view name) const;
  template <typename Use>
  void ForEach(std::string_view name, Use use) const {
    for (const HttpField& field : fields_) {
      if (SameName(field.name, name)) use(field.value);
    }
  }

 private:
  friend class HttpFieldsParser;
  static bool SameName(std::string_view a, std::string_view b);
  std::vector<HttpField> fields_;
  size_t malformed_ = 0;
  bool cut_ = false;
};

struct HttpLimits {
  size_t max_fields = 1000;
  size_t max_head_bytes = 1 << 20;
};

// Parses fields up to an empty line or the end of the bytes.
struct HttpFieldBlock {
  HttpFields fields;
  size_t bytes = 0;       // bytes parsed, including the empty line; the rest starts there
  bool complete = false;  // the empty line was present
};
HttpFieldBlock ParseHttpFields(std::string_view bytes, const HttpLimits& limits = {});

struct HttpVersion {
  int major = 0;
  int minor = 0;
  friend bool operator==(const HttpVersion&, const HttpVersion&) = default;
};

struct HttpResponse {
  HttpVersion version;      // {0, 9} if there was no status line
  int status = 0;           // 0 if the status line had none
  std::string_view reason;  // may be empty
  HttpFields fields;
  std::string_view body;  // as transferred: still in its transfer and content codings
  size_t head_bytes = 0;
  bool complete_head = false;  // the empty line was present
};
HttpResponse ParseHttpResponse(std::string_view bytes, const HttpLimits& limits = {});

struct HttpRequest {
  std::string_view method;
  std::string_view target;
  HttpVersion version;  // {0, 9} if the line had none
  HttpFields fields;
  std::string_view body;
  size_t head_bytes = 0;
  bool complete_head = false;
};
HttpRequest ParseHttpRequest(std::string_view bytes, const HttpLimits& limits = {});

}  // namespace crivello::web
