// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "base/status.h"
#include "web/url/url.h"

namespace crivello::policy {

// A URL as people write it: "example.org/x" is taken for https://example.org/x.  Canonical.  InvalidArgument,
// with the text, if it is no URL of http or https.
Result<web::Url> UrlAsTyped(std::string_view text);

// The same, for a seed: the error says so.
Result<web::Url> SeedUrl(std::string_view text);

// The seeds of a file: one a line; empty lines and those that start with "#" do not count.  InvalidArgument
// names the line that is none.
Result<std::vector<std::string>> ReadSeedLines(std::string_view text);

}  // namespace crivello::policy
