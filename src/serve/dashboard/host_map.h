// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "collection/host_survey.h"
#include "serve/pages/html_writer.h"

namespace crivello::serve {

// How many hosts a picture can show clearly, and how many links between them.
inline constexpr size_t kMapHosts = 40;
inline constexpr size_t kMapLinks = 200;

// Draws which hosts link to which.  The largest hosts are on a circle, sorted by name from its end, so hosts
// of a domain are neighbours and the same survey gives the same picture.  The size of a disc is the host's
// number of pages; the width of a line is the number of links, and it bends to the right as seen from its
// source. The table of links has the same data.
void WriteHostMap(HtmlWriter& html, const collection::HostSurvey& survey);
// The links that the picture shows, the most frequent first.
void WriteHostLinks(HtmlWriter& html, const collection::HostSurvey& survey);

}  // namespace crivello::serve
