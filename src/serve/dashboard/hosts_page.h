// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "collection/host_survey.h"
#include "serve/http/http.h"

namespace crivello::serve {

// The page of the hosts: which links to which, as a picture and as a table, and what is on each.
// `standstill`: why nothing is being fetched; empty if something is.
HttpResponse HostsPage(const collection::HostSurvey& survey, const std::string& standstill);

}  // namespace crivello::serve
