// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>

#include "base/status.h"

namespace crivello::web {

// Finds the part of a host that its owner registered: "unimi.it" for "di.unimi.it", "b.co.uk" for
// "a.b.co.uk". Uses the public suffix list (https://publicsuffix.org/list/), both its ICANN and its private
// part. As in its algorithm, an unlisted top-level domain counts as a public suffix of one label.
//
// Hosts must be in the form of Url::hostname() (lower case, ASCII). Results are views into the host; a lookup
// takes about a microsecond. Immutable, thread-safe.
class PublicSuffixList {
 public:
  // The list that libpsl was built with; it does not change while the program runs.
  static const PublicSuffixList& BuiltIn();
  // A list in the format of publicsuffix.org, in UTF-8. InvalidArgument if it contains no rule.
  static Result<PublicSuffixList> FromText(std::string_view text);

  PublicSuffixList(PublicSuffixList&&) noexcept;
  PublicSuffixList& operator=(PublicSuffixList&&) noexcept;
  ~PublicSuffixList();

  // The registrable domain of a host. "" if it has none: an IP literal, a public suffix, a name with an empty
  // label or over 253 bytes. A final dot is allowed, and is not part of the result.
  std::string_view RegistrableDomain(std::string_view host) const;
  // The public suffix of a host: "co.uk" for "b.co.uk" and "co.uk"; "" for an IP literal or invalid name.
  std::string_view PublicSuffix(std::string_view host) const;

 private:
  struct Rules;
  explicit PublicSuffixList(std::unique_ptr<const Rules> rules);

  std::unique_ptr<const Rules> rules_;
};

}  // namespace crivello::web
