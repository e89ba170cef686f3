// SPDX-License-Identifier: Apache-2.0
// The parts of the URL parser that the setters also use; private to url*.cc.
#pragma once

#include <string>
#include <string_view>

#include "web/url/url.h"

namespace crivello::web {

// Where the scheme at the start of `input` ends (the position of its colon), or npos if there is none.
size_t FindSchemeEnd(std::string_view input);
// REQUIRES: scheme is in lower case.
SchemeType SchemeTypeOf(std::string_view scheme);
// The default port of a scheme, or -1.
int32_t DefaultPort(SchemeType type);

// Whether the input contains a byte that the parser drops: tab, LF or CR, anywhere.
bool HasTabOrNewline(std::string_view input);
std::string WithoutTabOrNewline(std::string_view input);

// Whether the character ends an authority or a path segment.
bool IsSlash(char c, bool special);
// The end of the host in "host[:port]": the first colon outside brackets, or the end.
size_t FindHostEnd(std::string_view host_and_port);
// Appends the host in its normal form; false, with nothing appended, if it is not valid.
bool AppendHost(std::string_view host, bool special, std::string* out);
// Reads the digits up to the first other byte: the port, -1 if there are none, -2 if it is too large.
int32_t ParsePort(std::string_view digits);

// Appends the segments of `path` to the path that starts at (*out)[path_start], each preceded by "/", with
// dot segments resolved. Appends at least one segment, which may be empty.
void AppendPath(std::string_view path, SchemeType type, size_t path_start, std::string* out);

}  // namespace crivello::web
