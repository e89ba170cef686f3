// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "serve/http/http.h"

namespace crivello::serve {

// Which pages of other sites may read what the API says (Cross-Origin Resource Sharing, in the Fetch
// standard). They may search, and nothing else: credentials that a browser adds by itself are not for them,
// nor are requests that change something.  Immutable.
class CrossOrigin {
 public:
  CrossOrigin() = default;
  // Origins as "https://www.example.org", without a path, or "*" for all.  InvalidArgument names another one.
  static Result<CrossOrigin> Of(const std::vector<std::string>& origins);

  bool Allows(std::string_view origin) const;
  // Adds the fields that let the page that asked read the answer, if it may.
  void Share(const HttpRequest& request, HttpResponse* answer) const;
  // Whether a request asks what a page may do, and the answer to it.
  static bool IsPreflight(const HttpRequest& request);
  // Share() adds the rest.
  static HttpResponse AnswerPreflight();

 private:
  std::vector<std::string> origins_;
  bool all_ = false;
};

}  // namespace crivello::serve
