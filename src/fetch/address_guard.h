// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fetch/address.h"

namespace crivello::fetch {

// Which addresses may be connected to.  A link or a DNS answer can name any address, also those that only
// this machine or its network reaches (a printer, a cloud's metadata service); so by default only what is
// globally reachable and unicast is allowed, by the registries of RFC 6890 (one table, in the .cc file, with
// an RFC a row).  An IPv6 address that carries an IPv4 one (mapped, compatible, 6to4, Teredo, NAT64, ISATAP)
// must pass for both, since a translator on the way would open the inner one.
//
// The check belongs where the socket is opened (Fetcher does it there): a check of names or of DNS answers
// alone is passed by a server whose answers change.
//
// Linear in the table (some 40 rows).  Immutable once made; thread-safe.
class AddressGuard {
 public:
  // Allows what is public.
  AddressGuard() = default;
  // Allows everything (`--allow-private`).
  static AddressGuard AllowingAll();
  // Allows what is public, and these.
  explicit AddressGuard(std::vector<IpPrefix> exceptions) : exceptions_(std::move(exceptions)) {}

  bool Allows(const IpAddress& address) const { return WhyRefused(address).empty(); }
  // "" if allowed; else what kind of address it is, for people: "loopback (RFC 1122)".
  std::string_view WhyRefused(const IpAddress& address) const;
  // The whole sentence: "127.0.0.1 is loopback (RFC 1122); to fetch from such addresses, give
  // --allow-private".
  static std::string Explain(const IpAddress& address, std::string_view why);

 private:
  bool all_ = false;
  std::vector<IpPrefix> exceptions_;
};

}  // namespace crivello::fetch
