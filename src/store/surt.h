// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace crivello::store {

// The key of a URL in the index of an archive: "com,example)/path?a=1&b=2" for
// "https://www.example.com:443/Path/?b=2&a=1#x". A host, and all hosts of a domain, are thus adjacent.
//
// The rules are those of the Python package `surt` with its defaults, which pywb and cdxj-indexer use.
// docs/formats/cdxj.md lists them, with the few differences. They map some different URLs to one key ("/A"
// and "/a"): the key finds captures, and the entry's url tells which one it is.
//
// The key contains no control character, space, or byte above "~". So a file of lines "key timestamp ..."
// sorted by bytes is sorted by key, then by time. "-" for an empty URL. Linear in the URL, apart from sorting
// its query; thread-safe.
std::string SurtKey(std::string_view url);

}  // namespace crivello::store
