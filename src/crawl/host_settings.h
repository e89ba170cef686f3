// SPDX-License-Identifier: Apache-2.0
// The fields of requests to one host: what an operator may add.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "fetch/fetch.h"

namespace crivello::crawl {

// Of "Name: value".  InvalidArgument if it is not that, or is a field that the program sends itself, or that
// says how a message is sent.
Result<fetch::RequestField> HeaderField(std::string_view text);

// The login of HTTP's scheme Basic (RFC 7617).  InvalidArgument if the name has a colon.
Result<fetch::RequestField> LoginField(std::string_view user, std::string_view password);

}  // namespace crivello::crawl
