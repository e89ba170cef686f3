// SPDX-License-Identifier: Apache-2.0
#include "web/url/url.h"

#include "web/url/url_parser.h"

namespace crivello::web {

std::string_view Url::password() const {
  if (!has_credentials() || href_[username_end_] != ':') return {};
  return Slice(username_end_ + 1, host_start_ - 1);
}

std::string_view Url::port() const {
  return port_ < 0 ? std::string_view() : Slice(host_end_ + 1, path_start_);
}

std::string_view Url::search() const {
  const auto text = query();
  return !text || text->empty() ? std::string_view() : Slice(query_start_, query_end());
}

std::string_view Url::hash() const {
  const auto text = fragment();
  return !text || text->empty() ? std::string_view() : Slice(fragment_start_, size());
}

std::optional<std::string_view> Url::query() const {
  if (query_start_ == kNone) return std::nullopt;
  return Slice(query_start_ + 1, query_end());
}

std::optional<std::string_view> Url::fragment() const {
  if (fragment_start_ == kNone) return std::nullopt;
  return Slice(fragment_start_ + 1, size());
}

std::string Url::origin() const {
  if (scheme() == "blob") {
    Url inner;
    if (inner.Parse(pathname()) && inner.is_http()) return inner.origin();
    return "null";
  }
  if (!is_special() || type_ == SchemeType::kFile) return "null";
  return std::string(protocol()).append("//").append(host());
}

uint16_t Url::effective_port() const {
  const int32_t port = port_ >= 0 ? port_ : DefaultPort(type_);
  return port < 0 ? uint16_t{0} : static_cast<uint16_t>(port);
}

// Keeps the capacity of the string for the next Parse.
void Url::Clear() {
  href_.clear();
  protocol_end_ = username_end_ = host_start_ = host_end_ = path_start_ = 0;
  query_start_ = fragment_start_ = kNone;
  port_ = -1;
  type_ = SchemeType::kOther;
  has_host_ = has_opaque_path_ = false;
}

Result<Url> ParseUrl(std::string_view input, const Url* base) {
  Url url;
  if (url.Parse(input, base)) return url;
  constexpr size_t kShown = 200;
  std::string message = "invalid URL: \"" + std::string(input.substr(0, kShown));
  message += input.size() > kShown ? "...\"" : "\"";
  if (base != nullptr) message += " relative to \"" + base->href().substr(0, kShown) + "\"";
  return Status::InvalidArgument(message);
}

}  // namespace crivello::web
