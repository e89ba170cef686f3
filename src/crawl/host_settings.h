// SPDX-License-Identifier: Apache-2.0
// Fields that an operator may add to the requests to one host.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "fetch/fetch.h"

namespace crivello::crawl {

// Parses "Name: value".  InvalidArgument if it does not have this form, or if it is a field that the program
// itself sends or that describes how a message is sent.
Result<fetch::RequestField> HeaderField(std::string_view text);

// The login of HTTP's scheme Basic (RFC 7617).  InvalidArgument if the name has a colon.
Result<fetch::RequestField> LoginField(std::string_view user, std::string_view password);

}  // namespace crivello::crawl
