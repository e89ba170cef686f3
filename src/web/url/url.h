// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "charset/encoding.h"

namespace crivello::web {

// The schemes that the standard treats specially: "\" means "/", there is a host, the path is never empty.
enum class SchemeType : uint8_t { kOther, kHttp, kHttps, kWs, kWss, kFtp, kFile };

// A URL, parsed, resolved and serialised as in browsers (https://url.spec.whatwg.org, the text of 2026: an
// ASCII host is only lower-cased; a space before the end of an opaque path becomes %20).
//
// The URL is stored as one string, its serialisation, and the positions where its parts end. Parts are views
// into it, in constant time, valid until the object changes.
//
//   https://user:pass@example.com:1234/foo/bar?baz#quux
//         |     |    |          |     |       |   |
//         |     |    |          |     |       |   fragment_start_
//         |     |    |          |     |       query_start_
//         |     |    |          |     path_start_
//         |     |    |          host_end_
//         |     |    host_start_
//         |     username_end_
//         protocol_end_
//
// Parsing writes that string from left to right, in time linear in the input, and copies the parts of a base
// as bytes. Reusing an object for parsing allocates only when a URL is longer than those before, contains a
// tab or newline, or has a host that is not plain lower-case ASCII.
//
// Invariant: parsing href() gives an equal object.
// Limits: a URL longer than kMaxBytes, before or after parsing, is rejected. Bytes that are not valid UTF-8
// are percent-encoded as they are, except in a host, which they make invalid. A value; immutable use is
// thread-safe.
class Url {
 public:
  static constexpr size_t kMaxBytes = size_t{1} << 24;

  Url() = default;

  // Parses `input`, relative to `base` if given. Returns false, and leaves this object empty, if the result
  // is not a valid URL. `query_encoding` is the encoding of the page with the link; it applies to the query
  // of http, https, ftp and file URLs (see AppendEncodedQuery). Everything else is always UTF-8.
  // REQUIRES: neither `input` nor `base` is part of this object.
  [[nodiscard]] bool Parse(std::string_view input, const Url* base = nullptr,
                           charset::Encoding query_encoding = charset::Encoding::kUtf8);

  bool empty() const { return href_.empty(); }
  const std::string& href() const& { return href_; }
  std::string href() && { return std::move(href_); }

  SchemeType scheme_type() const { return type_; }
  bool is_special() const { return type_ != SchemeType::kOther; }
  bool is_http() const { return type_ == SchemeType::kHttp || type_ == SchemeType::kHttps; }
  // Whether there is a host, possibly an empty one.
  bool has_host() const { return has_host_; }
  // Whether the path is not a list of segments ("mailto:x"). Only a fragment can be resolved against such a
  // URL.
  bool has_opaque_path() const { return has_opaque_path_; }
  bool has_credentials() const { return has_host_ && host_start_ > protocol_end_ + 2; }

  // The parts, named as in the DOM: protocol includes its ":", host its port, search and hash their mark
  // unless they are empty.
  std::string_view protocol() const { return Slice(0, protocol_end_); }
  std::string_view scheme() const { return empty() ? "" : Slice(0, protocol_end_ - 1); }
  std::string_view username() const {
    return has_credentials() ? Slice(protocol_end_ + 2, username_end_) : std::string_view();
  }
  std::string_view password() const;
  std::string_view host() const { return Slice(host_start_, has_host_ ? path_start_ : host_end_); }
  std::string_view hostname() const { return Slice(host_start_, host_end_); }
  std::string_view port() const;
  std::string_view pathname() const { return Slice(path_start_, path_end()); }
  std::string_view search() const;
  std::string_view hash() const;
  // "https://example.com", or "null" if it has no origin of its own.
  std::string origin() const;

  // The text after "?" or "#", if that mark is present.
  std::optional<std::string_view> query() const;
  std::optional<std::string_view> fragment() const;
  // What a request line contains: path and query.
  std::string_view path_and_query() const { return Slice(path_start_, query_end()); }
  // The port to connect to: the explicit one or the default of the scheme; 0 if neither exists.
  uint16_t effective_port() const;

  // The setters of the DOM: a value that cannot be set leaves the URL unchanged and returns false (in the
  // DOM, only set_href reports an error). Each rebuilds the string.
  bool set_href(std::string_view value);
  bool set_protocol(std::string_view value);
  bool set_username(std::string_view value);
  bool set_password(std::string_view value);
  bool set_host(std::string_view value);
  bool set_hostname(std::string_view value);
  bool set_port(std::string_view value);
  bool set_pathname(std::string_view value);
  bool set_search(std::string_view value);
  bool set_hash(std::string_view value);

  friend bool operator==(const Url& a, const Url& b) { return a.href_ == b.href_; }
  friend auto operator<=>(const Url& a, const Url& b) { return a.href_ <=> b.href_; }

 private:
  friend class UrlParser;
  struct Record;
  static constexpr uint32_t kNone = 0xffffffff;

  std::string_view Slice(uint32_t from, uint32_t to) const {
    return std::string_view(href_.data() + from, to - from);
  }
  uint32_t size() const { return static_cast<uint32_t>(href_.size()); }
  uint32_t query_end() const { return fragment_start_ != kNone ? fragment_start_ : size(); }
  uint32_t path_end() const { return query_start_ != kNone ? query_start_ : query_end(); }
  void Clear();
  bool SetHost(std::string_view value, bool with_port);
  Record ToRecord() const;
  bool Assign(const Record& record);

  std::string href_;
  uint32_t protocol_end_ = 0;
  uint32_t username_end_ = 0;
  uint32_t host_start_ = 0;
  uint32_t host_end_ = 0;
  uint32_t path_start_ = 0;
  uint32_t query_start_ = kNone;
  uint32_t fragment_start_ = kNone;
  int32_t port_ = -1;  // only if it differs from the scheme's default
  SchemeType type_ = SchemeType::kOther;
  bool has_host_ = false;
  bool has_opaque_path_ = false;
};

// Like Url::Parse, with an error that quotes the input.
Result<Url> ParseUrl(std::string_view input, const Url* base = nullptr);

}  // namespace crivello::web
