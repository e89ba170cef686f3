// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "text/content/html_document.h"
#include "text/content/site_template.h"

namespace crivello::text {

// An HTML page that shows every block of a page with each method's decision: green was kept; otherwise the
// reason why it was cut. All text is escaped; no scripts, nothing is loaded.
std::string CompareReport(const HtmlDocument& page, const SiteTemplate* site = nullptr);

// The document slope curve as SVG: tags over tokens, the plateau i..j that maximises the slides' sum, and the
// low-slope sections.
std::string SlopeDrawing(const HtmlDocument& page);

}  // namespace crivello::text
