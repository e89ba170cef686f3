// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/file_system.h"
#include "base/status.h"

namespace crivello::graph {

// The keys and values of a Java properties file; WebGraph describes each graph by one.
using JavaProperties = std::map<std::string, std::string>;

// Parses the text of such a file: comments, continued lines, escapes.  Keys and values are UTF-8, as \uXXXX
// or as bytes; bytes that are not UTF-8 are read as Latin-1.  If a key is repeated, the last value counts.
// Corruption if an escape is malformed.
Result<JavaProperties> ParseJavaProperties(std::string_view text);
// Corruption also if the file is larger than kMaxPropertiesBytes.
constexpr size_t kMaxPropertiesBytes = 1 << 20;
Result<JavaProperties> ReadJavaProperties(const std::string& path);

// Text that java.util.Properties can read: a comment, then the keys in order.  Equal properties give equal
// bytes; there is no date.
std::string FormatJavaProperties(const JavaProperties& properties, std::string_view comment);

}  // namespace crivello::graph
