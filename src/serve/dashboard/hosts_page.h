// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "collection/host_survey.h"
#include "serve/http/http.h"

namespace crivello::serve {

// The page of the hosts: who links to whom, as a picture and as a table, and what is on each.
HttpResponse HostsPage(const collection::HostSurvey& survey);

}  // namespace crivello::serve
