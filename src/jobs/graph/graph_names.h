// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace crivello::jobs {

// The kind of nodes of a web graph.
enum class GraphLevel : uint8_t { kPage, kHost, kDomain };
inline constexpr GraphLevel kGraphLevels[] = {GraphLevel::kPage, GraphLevel::kHost, GraphLevel::kDomain};

// "page", "host", "domain".
std::string_view GraphLevelName(GraphLevel level);
// InvalidArgument if there is no such level.
Result<GraphLevel> ParseGraphLevel(std::string_view name);
// The name of a level's files in the folder `graph` of a collection: "pages", "hosts", "domains".
std::string_view GraphFileName(GraphLevel level);

// The forms of names in lists of names (docs/formats/name-list.md).
inline constexpr std::string_view kRowKeyForm = "row-key";
inline constexpr std::string_view kHostForm = "host";

// A host with its labels reversed, "org.example.www", as in Common Crawl's files, and back.  An IP address
// stays as it is.  A name with an empty label is not a host, but is reversed like others.
std::string ReverseHost(std::string_view host);

// The form for users of a name in a list: a URL for a row key, "www.example.org" for a host.  A name that
// does not have the list's form is returned as is.
std::string DisplayName(std::string_view form, std::string_view name);
// The name of a node, from the form that users write; InvalidArgument if it cannot be one.
Result<std::string> NameOfText(std::string_view form, std::string_view text);

// The part of a row key that identifies its host: up to and including ")".
inline std::string_view HostPrefix(std::string_view row_key) {
  return row_key.substr(0, row_key.find(')') + 1);
}
// The name of a row's node in a graph of hosts or domains.  A host without a registrable domain, such as an
// IP address, counts as a domain.  Corruption if it is not a row key.
Result<std::string> HostNameOfRow(GraphLevel level, std::string_view row_key);

}  // namespace crivello::jobs
