// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "collection/host_survey.h"
#include "serve/pages/html_writer.h"

namespace crivello::serve {

// As many hosts as can be told apart in a picture, and links between them as can be followed.
inline constexpr size_t kMapHosts = 40;
inline constexpr size_t kMapLinks = 200;

// A picture of which hosts link to which: the largest on a circle, in order of name, so that the hosts of a
// domain are neighbours (names are compared from their end) and the same survey gives the same picture; a
// disc is as large as its host has pages, a line as broad as there are links, and bends to the right of who
// goes along it.  What it shows is also in the table of links.
void WriteHostMap(HtmlWriter& html, const collection::HostSurvey& survey);
// The links that the picture has, the most first.
void WriteHostLinks(HtmlWriter& html, const collection::HostSurvey& survey);

}  // namespace crivello::serve
