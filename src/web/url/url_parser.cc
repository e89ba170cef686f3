// SPDX-License-Identifier: Apache-2.0
#include "web/url/url_parser.h"

#include <array>
#include <cstring>

#include "base/ascii.h"
#include "charset/encoding_encode.h"
#include "web/url/idna.h"
#include "web/url/ip_address.h"
#include "web/url/percent.h"

namespace crivello::web {
namespace {

enum ByteClass : uint8_t {
  kSchemeByte = 1,
  kForbiddenHost = 2,
  kPlainHost = 4,    // unchanged in a domain
  kPathUnusual = 8,  // in a path: needs encoding, or may be in a dot segment
  kBackslash = 16,
  kSlash = 32,
  kQueryOrFragment = 64,  // the marks that end the part before them
};

constexpr std::array<uint8_t, 256> kUrlClasses = [] {
  std::array<uint8_t, 256> classes{};
  const auto add = [&classes](std::string_view bytes, ByteClass mask) {
    for (const char c : bytes) classes[static_cast<uint8_t>(c)] |= mask;
  };
  add("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-.", kSchemeByte);
  add("abcdefghijklmnopqrstuvwxyz0123456789-._", kPlainHost);
  add(std::string_view("\0\t\n\r #/:<>?@[\\]^|", 17), kForbiddenHost);
  add("\\", kBackslash);
  add("/", kSlash);
  add("?#", kQueryOrFragment);
  add("%", kPathUnusual);
  for (size_t c = 0; c < 256; c++) {
    if (InPercentSet(static_cast<char>(c), PercentSet::kPath)) classes[c] |= kPathUnusual;
  }
  return classes;
}();

uint8_t ClassOf(char c) { return kUrlClasses[static_cast<uint8_t>(c)]; }

// The text before its first byte that belongs to one of the classes.
std::string_view Until(std::string_view text, unsigned classes) {
  size_t i = 0;
  while (i < text.size() && (ClassOf(text[i]) & classes) == 0) i++;
  return text.substr(0, i);
}

// Removes "." or "%2e" from the start of `segment`; false if it is not there.
bool TakeDot(std::string_view* segment) {
  if (segment->starts_with('.')) {
    segment->remove_prefix(1);
  } else if (EscapeAt(*segment, 0) == '.') {
    segment->remove_prefix(3);
  } else {
    return false;
  }
  return true;
}

// 1 for a segment that means ".", 2 for one that means "..", 0 for any other.
int CountDots(std::string_view segment) {
  int dots = 0;
  while (dots < 2 && TakeDot(&segment)) dots++;
  return segment.empty() ? dots : 0;
}

bool IsDriveLetter(std::string_view text) {
  return text.size() == 2 && IsAsciiAlpha(text[0]) && (text[1] == ':' || text[1] == '|');
}

// Whether the text up to its first delimiter is a drive letter.
bool StartsWithDriveLetter(std::string_view text) {
  return IsDriveLetter(text.substr(0, 2)) &&
         (text.size() == 2 || text[2] == '/' || text[2] == '\\' || text[2] == '?' || text[2] == '#');
}

// Whether the first segment of a written path is a drive letter: "/C:" or "/C:/...".
bool PathHasDriveLetter(std::string_view path) {
  return path.size() >= 3 && IsAsciiAlpha(path[1]) && path[2] == ':' && (path.size() == 3 || path[3] == '/');
}

// Removes the last segment of the path, but never the drive letter of a file.
void ShortenPath(SchemeType type, size_t path_start, std::string* out) {
  const std::string_view path = std::string_view(*out).substr(path_start);
  if (path.empty()) return;
  if (type == SchemeType::kFile && path.size() == 3 && PathHasDriveLetter(path)) return;
  out->resize(path_start + path.rfind('/'));
}

// Whether AppendPath can copy the bytes unchanged.
bool IsPlainPath(std::string_view path, bool special) {
  uint8_t classes = 0;
  for (const char c : path) classes |= ClassOf(c);
  if ((classes & kPathUnusual) != 0 || (special && (classes & kBackslash) != 0)) return false;
  return !path.starts_with('.') && path.find("/.") == path.npos;
}

bool AppendIpv6Host(std::string_view host, std::string* out) {
  if (host.size() < 2 || host.back() != ']') return false;
  const auto address = ParseIpv6(host.substr(1, host.size() - 2));
  if (!address) return false;
  out->push_back('[');
  AppendIpv6(*address, out);
  out->push_back(']');
  return true;
}

// Whether a domain needs no processing: plain bytes, and a last label that cannot be a number.
bool IsPlainDomain(std::string_view host) {
  uint8_t classes = 0xff;
  for (const char c : host) classes &= ClassOf(c);
  if ((classes & kPlainHost) == 0) return false;
  const std::string_view name = host.ends_with('.') ? host.substr(0, host.size() - 1) : host;
  const std::string_view last = name.substr(name.rfind('.') + 1);
  return last.empty() || !IsAsciiDigit(last[0]);
}

}  // namespace

size_t FindSchemeEnd(std::string_view input) {
  if (input.empty() || !IsAsciiAlpha(input[0])) return input.npos;
  size_t i = 1;
  while (i < input.size() && (ClassOf(input[i]) & kSchemeByte) != 0) i++;
  return i < input.size() && input[i] == ':' ? i : input.npos;
}

SchemeType SchemeTypeOf(std::string_view scheme) {
  switch (scheme.size()) {
    case 2:
      return scheme == "ws" ? SchemeType::kWs : SchemeType::kOther;
    case 3:
      return scheme == "wss" ? SchemeType::kWss : scheme == "ftp" ? SchemeType::kFtp : SchemeType::kOther;
    case 4:
      return scheme == "http" ? SchemeType::kHttp : scheme == "file" ? SchemeType::kFile : SchemeType::kOther;
    case 5:
      return scheme == "https" ? SchemeType::kHttps : SchemeType::kOther;
    default:
      return SchemeType::kOther;
  }
}

int32_t DefaultPort(SchemeType type) {
  switch (type) {
    case SchemeType::kHttp:
    case SchemeType::kWs:
      return 80;
    case SchemeType::kHttps:
    case SchemeType::kWss:
      return 443;
    case SchemeType::kFtp:
      return 21;
    case SchemeType::kFile:
    case SchemeType::kOther:
      break;
  }
  return -1;
}

bool HasTabOrNewline(std::string_view input) {
  // Looks for a byte below 14, eight at a time; such bytes are rare, so the exact check may be slow.
  constexpr uint64_t kOnes = 0x0101010101010101, kHighs = 0x8080808080808080;
  uint64_t small = 0;
  size_t i = 0;
  for (; i + 8 <= input.size(); i += 8) {
    uint64_t word;
    std::memcpy(&word, input.data() + i, 8);
    small |= (word - 14 * kOnes) & ~word & kHighs;
  }
  for (; i < input.size(); i++) small |= static_cast<uint8_t>(input[i]) < 14 ? 1 : 0;
  return small != 0 && input.find_first_of("\t\n\r") != input.npos;
}

std::string WithoutTabOrNewline(std::string_view input) {
  std::string kept;
  for (const char c : input) {
    if (c != '\t' && c != '\n' && c != '\r') kept.push_back(c);
  }
  return kept;
}

bool IsSlash(char c, bool special) { return c == '/' || (special && c == '\\'); }

size_t FindHostEnd(std::string_view host_and_port) {
  bool inside_brackets = false;
  for (size_t i = 0; i < host_and_port.size(); i++) {
    const char c = host_and_port[i];
    if (c == ':' && !inside_brackets) return i;
    if (c == '[') inside_brackets = true;
    if (c == ']') inside_brackets = false;
  }
  return host_and_port.size();
}

bool AppendHost(std::string_view host, bool special, std::string* out) {
  if (host.starts_with('[')) return AppendIpv6Host(host, out);
  if (!special) {
    for (const char c : host) {
      if ((ClassOf(c) & kForbiddenHost) != 0) return false;
    }
    AppendPercentEncoded(host, PercentSet::kC0Control, out);
    return true;
  }
  if (IsPlainDomain(host)) {
    out->append(host);
    return true;
  }
  std::string decoded;
  if (host.find('%') != host.npos) {
    AppendPercentDecoded(host, &decoded);
    host = decoded;
  }
  const size_t start = out->size();
  if (!AppendDomainToAscii(host, out)) return false;
  const std::string_view domain = std::string_view(*out).substr(start);
  if (!EndsInNumber(domain)) return true;
  const auto address = ParseIpv4(domain);
  out->resize(start);
  if (!address) return false;
  AppendIpv4(*address, out);
  return true;
}

int32_t ParsePort(std::string_view digits) {
  int32_t port = -1;
  for (const char c : digits) {
    if (!IsAsciiDigit(c)) break;
    port = (port < 0 ? 0 : port * 10) + (c - '0');
    if (port > 65535) return -2;
  }
  return port;
}

void AppendPath(std::string_view path, SchemeType type, size_t path_start, std::string* out) {
  const bool special = type != SchemeType::kOther;
  if (type != SchemeType::kFile && IsPlainPath(path, special)) {
    out->push_back('/');
    out->append(path);
    return;
  }
  for (;;) {
    const std::string_view segment = Until(path, special ? kSlash | kBackslash : kSlash);
    const bool last = segment.size() == path.size();
    const int dots = CountDots(segment);
    if (dots == 2) ShortenPath(type, path_start, out);
    if (dots == 0 || last) out->push_back('/');
    if (dots == 0) {
      if (type == SchemeType::kFile && out->size() == path_start + 1 && IsDriveLetter(segment)) {
        out->push_back(segment[0]);
        out->push_back(':');
      } else {
        AppendPercentEncoded(segment, PercentSet::kPath, out);
      }
    }
    if (last) return;
    path.remove_prefix(segment.size() + 1);
  }
}

// One run of the basic URL parser without state override. Its states are the member functions, in the order
// in which the parts are written.
class UrlParser {
 public:
  UrlParser(std::string_view input, const Url* base, charset::Encoding query_encoding, Url* url)
      : input_(input), base_(base), query_encoding_(query_encoding), url_(*url), out_(url->href_) {}

  bool Run();

 private:
  bool NoScheme();
  bool Relative();
  bool File(const Url* base);
  bool FileHost();
  bool Authority();
  bool HostAndPort(std::string_view host_and_port);
  bool PathStart();
  bool PathThenTail();
  bool OpaquePath();
  bool Tail();
  void Query();
  void Fragment();

  void StartScheme(std::string_view scheme);
  void StartAuthority();
  void EndAuthority() { url_.path_start_ = Place(); }
  void CopyBaseAuthority(const Url& base);
  void CopyBasePath(const Url& base) { out_.append(base.pathname()); }
  void CopyBaseQuery(const Url& base);

  bool special() const { return url_.is_special(); }
  uint32_t Place() const { return static_cast<uint32_t>(out_.size()); }
  bool AtEnd() const { return at_ == input_.size(); }
  bool At(char c) const { return at_ < input_.size() && input_[at_] == c; }
  bool AtSlash() const { return at_ < input_.size() && IsSlash(input_[at_], special()); }
  std::string_view Rest() const { return input_.substr(at_); }
  // The rest up to the first "?" or "#".
  std::string_view RestOfPath() const { return Until(Rest(), kQueryOrFragment); }

  std::string_view input_;
  const Url* base_;
  charset::Encoding query_encoding_;
  Url& url_;
  std::string& out_;
  size_t at_ = 0;
};

bool UrlParser::Run() {
  const size_t colon = FindSchemeEnd(input_);
  if (colon == input_.npos) return NoScheme();
  StartScheme(input_.substr(0, colon));
  at_ = colon + 1;
  if (url_.type_ == SchemeType::kFile) {
    return File(base_ != nullptr && base_->type_ == SchemeType::kFile ? base_ : nullptr);
  }
  if (special()) {
    if (base_ != nullptr && base_->type_ == url_.type_ && !Rest().starts_with("//")) return Relative();
    while (AtSlash()) at_++;
    return Authority();
  }
  if (!At('/')) return OpaquePath();
  at_++;
  if (At('/')) {
    at_++;
    return Authority();
  }
  EndAuthority();
  return PathThenTail();
}

void UrlParser::StartScheme(std::string_view scheme) {
  out_.clear();
  for (const char c : scheme) out_.push_back(AsciiLower(c));
  url_.type_ = SchemeTypeOf(out_);
  out_.push_back(':');
  url_.protocol_end_ = url_.username_end_ = url_.host_start_ = url_.host_end_ = Place();
}

void UrlParser::StartAuthority() {
  out_.append("//");
  url_.has_host_ = true;
  url_.username_end_ = url_.host_start_ = url_.host_end_ = Place();
}

// Copies everything before the path; the "/." that marks a missing host belongs to the path.
void UrlParser::CopyBaseAuthority(const Url& base) {
  out_.assign(base.href_, 0, base.has_host_ ? base.path_start_ : base.protocol_end_);
  url_.protocol_end_ = base.protocol_end_;
  url_.username_end_ = base.username_end_;
  url_.host_start_ = base.host_start_;
  url_.host_end_ = base.host_end_;
  url_.port_ = base.port_;
  url_.type_ = base.type_;
  url_.has_host_ = base.has_host_;
  EndAuthority();
}

void UrlParser::CopyBaseQuery(const Url& base) {
  if (base.query_start_ == Url::kNone) return;
  url_.query_start_ = Place();
  out_.append(base.Slice(base.query_start_, base.query_end()));
}

bool UrlParser::NoScheme() {
  if (base_ == nullptr || base_->empty()) return false;
  if (base_->has_opaque_path_) {
    if (!At('#')) return false;
    CopyBaseAuthority(*base_);
    url_.has_opaque_path_ = true;
    CopyBasePath(*base_);
    CopyBaseQuery(*base_);
    return Tail();
  }
  if (base_->type_ == SchemeType::kFile) {
    StartScheme("file");
    return File(base_);
  }
  url_.type_ = base_->type_;
  return Relative();
}

bool UrlParser::Relative() {
  if (AtSlash()) {
    at_++;
    if (At('/') || AtSlash()) {
      StartScheme(base_->scheme());
      if (special()) {
        while (AtSlash()) at_++;
      } else {
        at_++;
      }
      return Authority();
    }
    CopyBaseAuthority(*base_);
    return PathThenTail();
  }
  CopyBaseAuthority(*base_);
  CopyBasePath(*base_);
  if (AtEnd() || At('#')) CopyBaseQuery(*base_);
  if (AtEnd() || At('#') || At('?')) return Tail();
  ShortenPath(url_.type_, url_.path_start_, &out_);
  return PathThenTail();
}

bool UrlParser::File(const Url* base) {
  if (AtSlash()) {
    at_++;
    if (AtSlash()) {
      at_++;
      return FileHost();
    }
    if (base == nullptr) {
      StartAuthority();
      EndAuthority();
      return PathThenTail();
    }
    CopyBaseAuthority(*base);
    const std::string_view path = base->pathname();
    if (!StartsWithDriveLetter(Rest()) && PathHasDriveLetter(path)) out_.append(path.substr(0, 3));
    return PathThenTail();
  }
  if (base == nullptr) {
    StartAuthority();
    EndAuthority();
    return PathThenTail();
  }
  CopyBaseAuthority(*base);
  if (AtEnd() || At('?') || At('#')) {
    CopyBasePath(*base);
    if (!At('?')) CopyBaseQuery(*base);
    return Tail();
  }
  if (!StartsWithDriveLetter(Rest())) {
    CopyBasePath(*base);
    ShortenPath(url_.type_, url_.path_start_, &out_);
  }
  return PathThenTail();
}

bool UrlParser::FileHost() {
  StartAuthority();
  const std::string_view host = Until(Rest(), kSlash | kBackslash | kQueryOrFragment);
  if (IsDriveLetter(host)) {
    EndAuthority();
    return PathThenTail();
  }
  at_ += host.size();
  if (!host.empty()) {
    if (!AppendHost(host, true, &out_)) return false;
    if (std::string_view(out_).substr(url_.host_start_) == "localhost") out_.resize(url_.host_start_);
  }
  url_.host_end_ = Place();
  return PathStart();
}

bool UrlParser::Authority() {
  StartAuthority();
  std::string_view authority = Until(Rest(), kSlash | kQueryOrFragment | (special() ? kBackslash : 0));
  at_ += authority.size();
  const size_t at_sign = authority.rfind('@');
  if (at_sign != authority.npos) {
    const std::string_view credentials = authority.substr(0, at_sign);
    authority.remove_prefix(at_sign + 1);
    if (authority.empty()) return false;
    const size_t colon = credentials.find(':');
    AppendPercentEncoded(credentials.substr(0, colon), PercentSet::kUserinfo, &out_);
    url_.username_end_ = Place();
    if (colon != credentials.npos && colon + 1 < credentials.size()) {
      out_.push_back(':');
      AppendPercentEncoded(credentials.substr(colon + 1), PercentSet::kUserinfo, &out_);
    }
    if (Place() > url_.host_start_) out_.push_back('@');
    url_.host_start_ = Place();
  }
  return HostAndPort(authority) && PathStart();
}

bool UrlParser::HostAndPort(std::string_view host_and_port) {
  const size_t end = FindHostEnd(host_and_port);
  const std::string_view host = host_and_port.substr(0, end);
  const bool has_colon = end < host_and_port.size();
  if (host.empty() && (special() || has_colon)) return false;
  if (!AppendHost(host, special(), &out_)) return false;
  url_.host_end_ = Place();
  if (!has_colon) return true;
  const std::string_view digits = host_and_port.substr(end + 1);
  const int32_t port = ParsePort(digits);
  if (port == -2 || digits.find_first_not_of("0123456789") != digits.npos) return false;
  if (port < 0 || port == DefaultPort(url_.type_)) return true;
  url_.port_ = port;
  out_.push_back(':');
  out_.append(std::to_string(port));
  return true;
}

bool UrlParser::PathStart() {
  EndAuthority();
  if (AtSlash()) {
    at_++;
  } else if (!special()) {
    return Tail();  // the authority ended at "?", "#" or the end: the path is empty
  }
  return PathThenTail();
}

bool UrlParser::PathThenTail() {
  const std::string_view path = RestOfPath();
  at_ += path.size();
  AppendPath(path, url_.type_, url_.path_start_, &out_);
  return Tail();
}

bool UrlParser::OpaquePath() {
  EndAuthority();
  url_.has_opaque_path_ = true;
  const std::string_view path = RestOfPath();
  at_ += path.size();
  AppendPercentEncoded(path, PercentSet::kC0Control, &out_);
  if (path.ends_with(' ')) {  // not at the end of the input, which was trimmed
    out_.pop_back();
    out_.append("%20");
  }
  return Tail();
}

bool UrlParser::Tail() {
  // Without a host, a path that starts with "//" would be parsed as a host.
  if (!url_.has_host_ && !url_.has_opaque_path_) {
    if (std::string_view(out_).substr(url_.path_start_).starts_with("//")) {
      out_.insert(url_.path_start_, "/.");
      url_.path_start_ += 2;
      if (url_.query_start_ != Url::kNone) url_.query_start_ += 2;
    }
  }
  if (At('?')) Query();
  if (At('#')) Fragment();
  return true;
}

void UrlParser::Query() {
  at_++;
  std::string_view query = Rest().substr(0, Rest().find('#'));
  at_ += query.size();
  url_.query_start_ = Place();
  out_.push_back('?');
  const bool utf8 = query_encoding_ == charset::Encoding::kUtf8 || !special() ||
                    url_.type_ == SchemeType::kWs || url_.type_ == SchemeType::kWss;
  std::string encoded;
  if (!utf8) {
    charset::AppendEncodedQuery(query, query_encoding_, &encoded);
    query = encoded;
  }
  AppendPercentEncoded(query, special() ? PercentSet::kSpecialQuery : PercentSet::kQuery, &out_);
}

void UrlParser::Fragment() {
  at_++;
  url_.fragment_start_ = Place();
  out_.push_back('#');
  AppendPercentEncoded(Rest(), PercentSet::kFragment, &out_);
}

bool Url::Parse(std::string_view input, const Url* base, charset::Encoding query_encoding) {
  Clear();
  if (input.size() > kMaxBytes) return false;
  const auto trimmed = [](char c) { return static_cast<uint8_t>(c) <= 0x20; };
  while (!input.empty() && trimmed(input.front())) input.remove_prefix(1);
  while (!input.empty() && trimmed(input.back())) input.remove_suffix(1);
  std::string stripped;
  if (HasTabOrNewline(input)) {
    stripped = WithoutTabOrNewline(input);
    input = stripped;
  }
  if (UrlParser(input, base, query_encoding, this).Run() && href_.size() <= kMaxBytes) return true;
  Clear();
  return false;
}

}  // namespace crivello::web
