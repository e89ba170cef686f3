// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "fetch/address.h"

namespace crivello::fetch {

// The names and addresses of a hosts file: lines "address name..."; "#" starts a comment.  A name on several
// lines has several addresses.  InvalidArgument names the invalid line.
struct HostsEntry {
  IpAddress address;
  std::string name;
};
Result<std::vector<HostsEntry>> ParseHostsFile(std::string_view text);

}  // namespace crivello::fetch
