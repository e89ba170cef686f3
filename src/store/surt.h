// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace crivello::store {

// The key under which the index of an archive files a URL: "com,example)/path?a=1&b=2" for
// "https://www.example.com:443/Path/?b=2&a=1#x", so that a host, and all hosts of a domain, lie together.
//
// The rules are those of the Python package `surt` with its defaults, which pywb and cdxj-indexer use; they
// are listed in docs/formats/cdxj.md with the few places where this differs.  They throw together what is not
// always the same ("/A" and "/a"): the key finds captures, the entry's url tells which.
//
// The key has no byte up to the space, nor above "~": a file of lines "key timestamp ..." sorted by bytes is
// sorted by key, then by time.  "-" for an empty URL.  Linear in the URL, but for the sorting of its query;
// thread-safe.
std::string SurtKey(std::string_view url);

}  // namespace crivello::store
