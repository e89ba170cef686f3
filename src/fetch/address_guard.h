// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fetch/address.h"

namespace crivello::fetch {

// Decides which addresses may be connected to.  A link or a DNS answer can name any address, including those
// that only this machine or its network can reach (a printer, a cloud's metadata service).  So by default
// only globally reachable unicast addresses are allowed, by the registries of RFC 6890 (one table in the .cc
// file, with an RFC in each row).  If an IPv6 address contains an IPv4 one (mapped, compatible, 6to4, Teredo,
// NAT64, ISATAP), both must be allowed, because a translator on the way would connect to the inner one.
//
// The check belongs where the socket is opened (Fetcher does it there).  Checking only names or DNS answers
// fails if a server changes its answers.
//
// Linear in the table (some 40 rows).  Immutable; thread-safe.
class AddressGuard {
 public:
  // Allows public addresses.
  AddressGuard() = default;
  // Allows everything (`--allow-private`).
  static AddressGuard AllowingAll();
  // Allows public addresses and these.
  explicit AddressGuard(std::vector<IpPrefix> exceptions) : exceptions_(std::move(exceptions)) {}

  bool Allows(const IpAddress& address) const { return WhyRefused(address).empty(); }
  // "" if allowed; otherwise the kind of address, for people: "loopback (RFC 1122)".
  std::string_view WhyRefused(const IpAddress& address) const;
  // The whole sentence: "127.0.0.1 is loopback (RFC 1122); to fetch from such addresses, give
  // --allow-private".
  static std::string Explain(const IpAddress& address, std::string_view why);

 private:
  bool all_ = false;
  std::vector<IpPrefix> exceptions_;
};

}  // namespace crivello::fetch
