// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

namespace crivello::demo {

// A query with an interesting answer on the built-in web.
struct ThingToTry {
  std::string_view query;
  std::string_view shows;   // what to look for in the answer, as a sentence without a full stop
  std::string_view answer;  // the best result: its URL without scheme and port
};

// Shown after a crawl of the built-in web.  tests/search_test.cc checks the answers.
inline constexpr std::array<ThingToTry, 5> kThingsToTry = {{
    {"how does bread rise", "a question in plain words", "pocket-almanac.test/kitchen/how-bread-rises.html"},
    {"the best bread in the valley", "a page found by the text of links to it, not by its own words",
     "baeckerei-lindner.test/"},
    {"Dante", "one name, answered in Spanish, English and Italian; add lang:it for one of them",
     "cuaderno-de-versos.test/notas/divina-comedia.html"},
    {"tessera joins", "copies on a mirror, folded under the original",
     "manual.tessera.test/tutorial/joins.html"},
    {"thunder type:pdf", "a leaflet that is a PDF and not a web page",
     "high-huts.test/print/mountain-weather.pdf"},
}};

}  // namespace crivello::demo
