// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "base/status.h"
#include "web/url/url.h"

namespace crivello::policy {

// Parses a URL as users type it: "example.org/x" means https://example.org/x.  Canonical.  InvalidArgument,
// with the text, if it is not an http or https URL.
Result<web::Url> UrlAsTyped(std::string_view text);

// The same for a seed: the error message says so.
Result<web::Url> SeedUrl(std::string_view text);

// The seeds of a file, one per line; empty lines and those that start with "#" are ignored.  InvalidArgument
// names the invalid line.
Result<std::vector<std::string>> ReadSeedLines(std::string_view text);

}  // namespace crivello::policy
