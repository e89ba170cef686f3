// SPDX-License-Identifier: Apache-2.0
// HTTP heads as archives hold them: status or request line and fields, from servers of thirty years.
//
// Reading never fails; what is odd is kept and counted.  Lines end in CRLF or LF; a line that starts with a
// space continues the one before (obs-fold); a reason may be missing; a line without a colon is a field
// without a name; bytes without a status line are a body of HTTP/0.9.
//
// All views look into the bytes that were parsed, which the caller keeps alive.  Linear time; at most
// max_fields fields and max_head_bytes of head are read.  The values are plain: copied, moved, immutable once
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
  std::string_view value;  // without the spaces around it; the line breaks of a folded value are still in it
  bool folded = false;

  // The value with each line break and the spaces around it as one space (RFC 9112, section 5.2).
  std::string Unfolded() const;
};

class HttpFields {
 public:
  const std::vector<HttpField>& all() const { return fields_; }
  // Lines without a colon, or that continue nothing.
  size_t malformed() const { return malformed_; }
  // True if there were more fields than the limit.
  bool cut() const { return cut_; }

  // The first field of this name, in any case; "" and nothing differ.  Linear in the number of fields.
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

// Fields up to an empty line or the end of the bytes.
struct HttpFieldBlock {
  HttpFields fields;
  size_t bytes = 0;       // read, with the empty line: what follows starts there
  bool complete = false;  // the empty line was there
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
  bool complete_head = false;  // the empty line was there
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
