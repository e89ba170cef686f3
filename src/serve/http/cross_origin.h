// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "serve/http/http.h"

namespace crivello::serve {

// Which pages of other sites may read the API's responses (Cross-Origin Resource Sharing, in the Fetch
// standard).  They may only search: the server ignores credentials that a browser adds by itself, and rejects
// requests that change something.  Immutable.
class CrossOrigin {
 public:
  CrossOrigin() = default;
  // Origins such as "https://www.example.org", no path; "*" for all.  InvalidArgument names an invalid one.
  static Result<CrossOrigin> Of(const std::vector<std::string>& origins);

  bool Allows(std::string_view origin) const;
  // Adds the header fields that let the requesting page read the answer, if it may.
  void Share(const HttpRequest& request, HttpResponse* answer) const;
  // Whether this is a preflight request, by which a browser asks what a page may do.
  static bool IsPreflight(const HttpRequest& request);
  // The answer to a preflight; Share() adds the rest.
  static HttpResponse AnswerPreflight();

 private:
  std::vector<std::string> origins_;
  bool all_ = false;
};

}  // namespace crivello::serve
