// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace crivello::serve {

// Whether a host, as URLs and the header Host have it ("name", "name:port", "[::1]:80"), is this machine by
// definition: localhost and names below it, 127.0.0.0/8, ::1.
bool IsLoopbackHost(std::string_view host);

// By which names a server may be called.  A page of another site can have its own name resolve to this
// machine (DNS rebinding) and would then be of the same origin as what it reads here; but the name stands in
// the header Host.  Immutable.
class HostNames {
 public:
  // `names` are those that are allowed beside loopback's.  Where the server listens to others too and no name
  // is given, any is taken; where some are, addresses are as well, for no one can have them resolve to
  // another.
  HostNames(bool listens_on_loopback, std::vector<std::string> names);
  bool Admits(std::string_view host) const;
  // Any name is taken, so a page that rebinds its own can read what is served to this machine.
  bool AdmitsAll() const { return !listens_on_loopback_ && names_.empty(); }

 private:
  bool IsNamed(std::string_view host) const;

  bool listens_on_loopback_;
  std::vector<std::string> names_;  // lower case
};

}  // namespace crivello::serve
