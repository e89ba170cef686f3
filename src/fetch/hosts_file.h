// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "fetch/address.h"

namespace crivello::fetch {

// The names and addresses of a hosts file: "address name..." lines, "#" starts a comment.  A name may stand
// in several lines and then has several addresses.  InvalidArgument names the line that is neither.
struct HostsEntry {
  IpAddress address;
  std::string name;
};
Result<std::vector<HostsEntry>> ParseHostsFile(std::string_view text);

}  // namespace crivello::fetch
