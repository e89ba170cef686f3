// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "serve/api/json.h"
#include "serve/api/router.h"

namespace crivello::serve {

// The endpoints as an OpenAPI 3.1 document.
struct OpenApiOptions {
  std::string version;  // of the program
};
Json OpenApi(const Router& router, const OpenApiOptions& options);

}  // namespace crivello::serve
