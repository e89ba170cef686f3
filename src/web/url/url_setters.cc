// SPDX-License-Identifier: Apache-2.0
// The setters of the DOM: the parser with a state override, one function for each possible starting state.
#include "base/ascii.h"
#include "web/url/percent.h"
#include "web/url/url.h"
#include "web/url/url_parser.h"

namespace crivello::web {

// A URL in parts, as the standard's "URL record".
struct Url::Record {
  std::string scheme;
  bool has_host = false;
  bool has_opaque_path = false;
  std::string username, password, host;
  int32_t port = -1;
  std::string path;
  std::optional<std::string> query, fragment;
};

Url::Record Url::ToRecord() const {
  Record record;
  record.scheme = scheme();
  record.has_host = has_host_;
  record.has_opaque_path = has_opaque_path_;
  record.username = username();
  record.password = password();
  record.host = hostname();
  record.port = port_;
  record.path = pathname();
  if (query()) record.query = *query();
  if (fragment()) record.fragment = *fragment();
  return record;
}

// The URL serializer; false, with nothing changed, if the result is too long.
bool Url::Assign(const Record& record) {
  constexpr size_t kPunctuation = 16;  // at most: "://", ":", "@", a port, "/.", "?", "#"
  if (record.scheme.size() + record.username.size() + record.password.size() + record.host.size() +
          record.path.size() + record.query.value_or("").size() + record.fragment.value_or("").size() +
          kPunctuation >
      kMaxBytes) {
    return false;
  }
  Clear();
  const auto place = [this] { return size(); };
  href_ = record.scheme;
  type_ = SchemeTypeOf(record.scheme);
  href_ += ':';
  protocol_end_ = username_end_ = host_start_ = host_end_ = place();
  has_host_ = record.has_host;
  has_opaque_path_ = record.has_opaque_path;
  if (has_host_) {
    href_.append("//").append(record.username);
    username_end_ = place();
    if (!record.password.empty()) href_.append(1, ':').append(record.password);
    if (!record.username.empty() || !record.password.empty()) href_ += '@';
    host_start_ = place();
    href_ += record.host;
    host_end_ = place();
    if (record.port >= 0) href_.append(1, ':').append(std::to_string(record.port));
    port_ = record.port;
  } else if (!has_opaque_path_ && record.path.starts_with("//")) {
    href_ += "/.";
  }
  path_start_ = place();
  href_ += record.path;
  if (record.query) {
    query_start_ = place();
    href_.append(1, '?').append(*record.query);
  }
  if (record.fragment) {
    fragment_start_ = place();
    href_.append(1, '#').append(*record.fragment);
  }
  return true;
}

namespace {

// Whether the URL can have credentials and a port.
bool MayHavePort(const Url& url) { return !url.hostname().empty() && url.scheme_type() != SchemeType::kFile; }

}  // namespace

bool Url::set_href(std::string_view value) {
  Url url;
  if (!url.Parse(value)) return false;
  *this = std::move(url);
  return true;
}

bool Url::set_protocol(std::string_view value) {
  const std::string input = WithoutTabOrNewline(value) + ":";
  const size_t colon = FindSchemeEnd(input);
  if (empty() || colon == input.npos) return false;
  std::string scheme = input.substr(0, colon);
  for (char& c : scheme) c = AsciiLower(c);
  const SchemeType type = SchemeTypeOf(scheme);
  if ((type != SchemeType::kOther) != is_special()) return false;
  if (type == SchemeType::kFile && (has_credentials() || port_ >= 0)) return false;
  if (type_ == SchemeType::kFile && hostname().empty()) return false;
  Record record = ToRecord();
  record.scheme = scheme;
  if (record.port == DefaultPort(type)) record.port = -1;
  const bool becomes_file = type == SchemeType::kFile && type_ != SchemeType::kFile;
  if (!Assign(record)) return false;
  // The standard stops here, leaving a URL that would be parsed as a different one: "file://localhost/c|".
  return !becomes_file || Parse(std::string(href_));
}

bool Url::set_username(std::string_view value) {
  if (!MayHavePort(*this)) return false;
  Record record = ToRecord();
  record.username.clear();
  AppendPercentEncoded(value, PercentSet::kUserinfo, &record.username);
  return Assign(record);
}

bool Url::set_password(std::string_view value) {
  if (!MayHavePort(*this)) return false;
  Record record = ToRecord();
  record.password.clear();
  AppendPercentEncoded(value, PercentSet::kUserinfo, &record.password);
  return Assign(record);
}

bool Url::SetHost(std::string_view value, bool with_port) {
  if (empty() || has_opaque_path_) return false;
  const std::string kept = WithoutTabOrNewline(value);
  std::string_view input(kept);
  input = input.substr(0, input.find_first_of(is_special() ? "/\\?#" : "/?#"));
  Record record = ToRecord();
  record.has_host = true;
  record.host.clear();
  if (type_ == SchemeType::kFile) {
    if (!input.empty() && !AppendHost(input, true, &record.host)) return false;
    if (record.host == "localhost") record.host.clear();
    return Assign(record);
  }
  const size_t end = FindHostEnd(input);
  const bool has_colon = end < input.size();
  if (has_colon && (end == 0 || !with_port)) return false;
  const std::string_view host = input.substr(0, end);
  if (host.empty() && (is_special() || has_credentials() || port_ >= 0)) return false;
  if (!AppendHost(host, is_special(), &record.host)) return false;
  if (has_colon) {
    const int32_t port = ParsePort(input.substr(end + 1));
    if (port >= 0) record.port = port == DefaultPort(type_) ? -1 : port;
  }
  return Assign(record);
}

bool Url::set_host(std::string_view value) { return SetHost(value, true); }
bool Url::set_hostname(std::string_view value) { return SetHost(value, false); }

bool Url::set_port(std::string_view value) {
  if (!MayHavePort(*this)) return false;
  Record record = ToRecord();
  if (value.empty()) {
    record.port = -1;
  } else {
    const int32_t port = ParsePort(WithoutTabOrNewline(value));
    if (port < 0) return false;
    record.port = port == DefaultPort(type_) ? -1 : port;
  }
  return Assign(record);
}

bool Url::set_pathname(std::string_view value) {
  if (empty() || has_opaque_path_) return false;
  const std::string kept = WithoutTabOrNewline(value);
  std::string_view input(kept);
  Record record = ToRecord();
  record.path.clear();
  if (is_special() || !has_host_ || !input.empty()) {
    if (!input.empty() && IsSlash(input[0], is_special())) input.remove_prefix(1);
    AppendPath(input, type_, 0, &record.path);
  }
  return Assign(record);
}

bool Url::set_search(std::string_view value) {
  if (empty()) return false;
  Record record = ToRecord();
  record.query.reset();
  if (!value.empty()) {
    if (value.starts_with('?')) value.remove_prefix(1);
    AppendPercentEncoded(WithoutTabOrNewline(value),
                         is_special() ? PercentSet::kSpecialQuery : PercentSet::kQuery,
                         &record.query.emplace());
  }
  return Assign(record);
}

bool Url::set_hash(std::string_view value) {
  if (empty()) return false;
  Record record = ToRecord();
  record.fragment.reset();
  if (!value.empty()) {
    if (value.starts_with('#')) value.remove_prefix(1);
    AppendPercentEncoded(WithoutTabOrNewline(value), PercentSet::kFragment, &record.fragment.emplace());
  }
  return Assign(record);
}

}  // namespace crivello::web
