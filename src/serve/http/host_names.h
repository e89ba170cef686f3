// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace crivello::serve {

// Whether a host, as in URLs and the Host header ("name", "name:port", "[::1]:80"), is this machine by
// definition: localhost and names below it, 127.0.0.0/8, ::1.
bool IsLoopbackHost(std::string_view host);

// By which names clients may address a server.  A page of another site can make its own name resolve to this
// machine (DNS rebinding), and then has the same origin as what it reads here.  But the Host header shows
// that name.  Immutable.
class HostNames {
 public:
  // `names` are allowed in addition to those of loopback.  If the server listens on other addresses and
  // `names` is empty, any name is accepted.  If `names` is not empty, IP addresses are accepted too, because
  // nobody can make them resolve to something else.
  HostNames(bool listens_on_loopback, std::vector<std::string> names);
  bool Admits(std::string_view host) const;
  // Any name is accepted, so a page that rebinds its own name can read what this machine may read.
  bool AdmitsAll() const { return !listens_on_loopback_ && names_.empty(); }

 private:
  bool IsNamed(std::string_view host) const;

  bool listens_on_loopback_;
  std::vector<std::string> names_;  // lower case
};

}  // namespace crivello::serve
