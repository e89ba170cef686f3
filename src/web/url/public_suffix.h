// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>

#include "base/status.h"

namespace crivello::web {

// Which part of a host its owner registered: "di.unimi.it" belongs to "unimi.it", "a.b.co.uk" to "b.co.uk",
// by the public suffix list (https://publicsuffix.org/list/), its ICANN and its private part alike.  A
// top-level domain that is not listed counts as a public suffix of one label, as the list's algorithm says.
//
// Hosts come as Url::hostname() gives them (lower case, ASCII).  Answers are views into the host; about a
// microsecond each.  Immutable, thread-safe.
class PublicSuffixList {
 public:
  // The list that libpsl was built with; it never changes while the program runs.
  static const PublicSuffixList& BuiltIn();
  // A list in the format of publicsuffix.org, UTF-8.  InvalidArgument if it holds no rule.
  static Result<PublicSuffixList> FromText(std::string_view text);

  PublicSuffixList(PublicSuffixList&&) noexcept;
  PublicSuffixList& operator=(PublicSuffixList&&) noexcept;
  ~PublicSuffixList();

  // The registrable domain of a host, or "" if it has none: an IP literal, a public suffix itself, a name
  // with an empty label (but for one final dot, which is not part of the answer) or over 253 bytes.
  std::string_view RegistrableDomain(std::string_view host) const;
  // The public suffix of a host: of "b.co.uk" and of "co.uk", "co.uk".  "" for an IP literal or no name.
  std::string_view PublicSuffix(std::string_view host) const;

 private:
  struct Rules;
  explicit PublicSuffixList(std::unique_ptr<const Rules> rules);

  std::unique_ptr<const Rules> rules_;
};

}  // namespace crivello::web
