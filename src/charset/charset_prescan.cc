// SPDX-License-Identifier: Apache-2.0
#include "charset/charset_prescan.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"

namespace crivello::charset {
namespace {

constexpr size_t kExactBytes = 1024;

// The first occurrence of `lower` (in lower case) in `text`, ignoring case.
size_t FindLower(std::string_view text, std::string_view lower, size_t from) {
  const auto found =
      std::search(text.begin() + static_cast<std::ptrdiff_t>(std::min(from, text.size())), text.end(),
                  lower.begin(), lower.end(), [](char a, char b) { return AsciiLower(a) == b; });
  return found == text.end() ? std::string_view::npos : static_cast<size_t>(found - text.begin());
}

// The elements in which the tokenizer recognises no tags.
constexpr std::array<std::string_view, 8> kRawText = {"script",   "style", "textarea", "title",
                                                      "noframes", "xmp",   "iframe",   "noembed"};

struct MetaAttribute {
  std::string_view name;
  std::string_view value;
};

// Walks the bytes like the standard's algorithm. If the bytes run out anywhere, there is no result.
class Prescan {
 public:
  explicit Prescan(std::string_view bytes) : bytes_(bytes) {}

  std::optional<Encoding> Run() {
    while (at_ < bytes_.size()) {
      const size_t tag = bytes_.find('<', at_);
      if (tag == std::string_view::npos) break;
      at_ = tag;
      const std::string_view rest = bytes_.substr(at_);
      if (rest.substr(0, 4) == "<!--") {
        // The dashes that open a comment may also close it.
        const size_t end = bytes_.find("-->", at_ + 2);
        if (end == std::string_view::npos) break;
        at_ = end + 3;
      } else if (rest.size() > 5 && EqualsIgnoringCase(rest.substr(0, 5), "<meta") &&
                 (IsAsciiSpace(rest[5]) || rest[5] == '/')) {
        at_ += 5;
        if (const auto encoding = Meta()) return encoding;
      } else if (rest.size() > 1 &&
                 (IsAsciiAlpha(rest[1]) || (rest[1] == '/' && rest.size() > 2 && IsAsciiAlpha(rest[2])))) {
        Tag();
      } else if (rest.size() > 1 && (rest[1] == '!' || rest[1] == '/' || rest[1] == '?')) {
        const size_t end = bytes_.find('>', at_);
        if (end == std::string_view::npos) break;
        at_ = end + 1;
      } else {
        at_++;
      }
    }
    return std::nullopt;
  }

 private:
  bool AtEnd() const { return at_ >= bytes_.size(); }

  std::optional<Encoding> Meta() {
    bool seen_equiv = false, seen_content = false, seen_charset = false;
    bool got_pragma = false;
    std::optional<bool> need_pragma;
    std::optional<Encoding> charset;
    while (const auto attribute = NextAttribute()) {
      if (EqualsIgnoringCase(attribute->name, "http-equiv") && !seen_equiv) {
        seen_equiv = true;
        got_pragma = EqualsIgnoringCase(attribute->value, "content-type");
      } else if (EqualsIgnoringCase(attribute->name, "content") && !seen_content) {
        seen_content = true;
        const auto encoding = EncodingFromMetaContent(attribute->value);
        if (encoding && !seen_charset) {
          charset = encoding;
          need_pragma = true;
        }
      } else if (EqualsIgnoringCase(attribute->name, "charset") && !seen_charset) {
        seen_charset = true;
        charset = EncodingForLabel(attribute->value);
        need_pragma = false;
      }
    }
    if (AtEnd() || !need_pragma || (*need_pragma && !got_pragma) || !charset) return std::nullopt;
    if (*charset == Encoding::kUtf16Be || *charset == Encoding::kUtf16Le) return Encoding::kUtf8;
    if (*charset == Encoding::kUserDefined) return Encoding::kWindows1252;
    return charset;
  }

  void Tag() {
    const size_t start = at_ + 1;
    while (!AtEnd() && !IsAsciiSpace(bytes_[at_]) && bytes_[at_] != '>') at_++;
    const std::string_view name = bytes_.substr(start, at_ - start);
    while (NextAttribute()) {
    }
    if (start < kExactBytes) return;
    for (const std::string_view raw : kRawText) {
      if (!EqualsIgnoringCase(name, raw)) continue;
      // Without an end tag, the rest is raw text.
      size_t end = start;
      do {
        end = FindLower(bytes_, raw, std::max(end + 1, at_));
        if (end == std::string_view::npos) {
          at_ = bytes_.size();
          return;
        }
      } while (bytes_[end - 1] != '/' || bytes_[end - 2] != '<');
      at_ = end;
    }
  }

  // "Get an attribute". nullopt at the end of the tag or of the bytes.
  std::optional<MetaAttribute> NextAttribute() {
    while (!AtEnd() && (IsAsciiSpace(bytes_[at_]) || bytes_[at_] == '/')) at_++;
    if (AtEnd() || bytes_[at_] == '>') return std::nullopt;
    MetaAttribute attribute;
    const size_t name = at_;
    while (!AtEnd() && !IsAsciiSpace(bytes_[at_]) && bytes_[at_] != '/' && bytes_[at_] != '>' &&
           (bytes_[at_] != '=' || at_ == name)) {
      at_++;
    }
    attribute.name = bytes_.substr(name, at_ - name);
    SkipSpace();
    if (AtEnd()) return std::nullopt;
    if (bytes_[at_] != '=') return attribute;
    at_++;
    SkipSpace();
    if (AtEnd()) return std::nullopt;
    const char quote = bytes_[at_];
    const size_t value = at_;
    if (quote == '"' || quote == '\'') {
      const size_t end = bytes_.find(quote, value + 1);
      at_ = end == std::string_view::npos ? bytes_.size() : end + 1;
      if (end == std::string_view::npos) return std::nullopt;
      attribute.value = bytes_.substr(value + 1, end - value - 1);
      return attribute;
    }
    while (!AtEnd() && !IsAsciiSpace(bytes_[at_]) && bytes_[at_] != '>') at_++;
    if (AtEnd()) return std::nullopt;
    attribute.value = bytes_.substr(value, at_ - value);
    return attribute;
  }

  void SkipSpace() {
    while (!AtEnd() && IsAsciiSpace(bytes_[at_])) at_++;
  }

  std::string_view bytes_;
  size_t at_ = 0;
};

// "Get an XML encoding": <?xml ... encoding="label" ... ?>
std::optional<Encoding> XmlDeclaration(std::string_view bytes) {
  if (bytes.substr(0, 5) != "<?xml") return std::nullopt;
  bytes = bytes.substr(0, bytes.find('>'));
  size_t at = bytes.find("encoding");
  if (at == std::string_view::npos) return std::nullopt;
  at += 8;
  const auto skip = [&] {
    while (at < bytes.size() && static_cast<unsigned char>(bytes[at]) <= 0x20) at++;
  };
  skip();
  if (at >= bytes.size() || bytes[at] != '=') return std::nullopt;
  at++;
  skip();
  if (at >= bytes.size() || (bytes[at] != '"' && bytes[at] != '\'')) return std::nullopt;
  const size_t end = bytes.find(bytes[at], at + 1);
  if (end == std::string_view::npos) return std::nullopt;
  const auto encoding = EncodingForLabel(bytes.substr(at + 1, end - at - 1));
  if (encoding == Encoding::kUtf16Be || encoding == Encoding::kUtf16Le) return Encoding::kUtf8;
  return encoding;
}

}  // namespace

std::optional<Encoding> SniffByteOrderMark(std::string_view bytes) {
  if (bytes.substr(0, 3) == "\xef\xbb\xbf") return Encoding::kUtf8;
  if (bytes.substr(0, 2) == "\xfe\xff") return Encoding::kUtf16Be;
  if (bytes.substr(0, 2) == "\xff\xfe") return Encoding::kUtf16Le;
  return std::nullopt;
}

std::optional<Encoding> EncodingFromMetaContent(std::string_view content) {
  size_t at = 0;
  const auto skip = [&] {
    while (at < content.size() && IsAsciiSpace(content[at])) at++;
  };
  do {
    at = FindLower(content, "charset", at);
    if (at == std::string_view::npos) return std::nullopt;
    at += 7;
    skip();
  } while (at >= content.size() || content[at] != '=');
  at++;
  skip();
  if (at >= content.size()) return std::nullopt;
  if (content[at] == '"' || content[at] == '\'') {
    const size_t end = content.find(content[at], at + 1);
    if (end == std::string_view::npos) return std::nullopt;
    return EncodingForLabel(content.substr(at + 1, end - at - 1));
  }
  return EncodingForLabel(content.substr(at, content.find_first_of("\t\n\f\r ;", at) - at));
}

std::optional<Encoding> PrescanEncoding(std::string_view bytes, size_t limit) {
  bytes = bytes.substr(0, limit);
  if (bytes.substr(0, 6) == std::string_view("<\0?\0x\0", 6)) return Encoding::kUtf16Le;
  if (bytes.substr(0, 6) == std::string_view("\0<\0?\0x", 6)) return Encoding::kUtf16Be;
  if (const auto encoding = Prescan(bytes).Run()) return encoding;
  return XmlDeclaration(bytes);
}

}  // namespace crivello::charset
