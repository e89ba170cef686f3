// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace crivello::jobs {

// What the nodes of a graph of the web are.
enum class GraphLevel : uint8_t { kPage, kHost, kDomain };
inline constexpr GraphLevel kGraphLevels[] = {GraphLevel::kPage, GraphLevel::kHost, GraphLevel::kDomain};

// "page", "host", "domain".
std::string_view GraphLevelName(GraphLevel level);
// InvalidArgument if there is no such level.
Result<GraphLevel> ParseGraphLevel(std::string_view name);
// The name of its files in the folder `graph` of a collection: "pages", "hosts", "domains".
std::string_view GraphFileName(GraphLevel level);

// The forms of names in lists of names (docs/formats/name-list.md).
inline constexpr std::string_view kRowKeyForm = "row-key";
inline constexpr std::string_view kHostForm = "host";

// A host with its labels reversed, "org.example.www", as Common Crawl writes it, and back.  An IP address
// stays as it is.  A name with an empty label, which is not a host, is reversed like others.
std::string ReverseHost(std::string_view host);

// What people read and write for a name of a list of that form: a URL for a row key, "www.example.org" for a
// host.  A name that is not of the form is returned as it is.
std::string DisplayName(std::string_view form, std::string_view name);
// The name of a node that a person writes so; InvalidArgument if it cannot be one.
Result<std::string> NameOfText(std::string_view form, std::string_view text);

// The part of a row key that says which host it is: up to ")", which is included.
inline std::string_view HostPrefix(std::string_view row_key) {
  return row_key.substr(0, row_key.find(')') + 1);
}
// The name of the node that a row belongs to in a graph of hosts or domains.  A host without a registrable
// domain, such as an IP address, is a domain of its own.  Corruption if it is not a row key.
Result<std::string> HostNameOfRow(GraphLevel level, std::string_view row_key);

}  // namespace crivello::jobs
