// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "base/status.h"
#include "collection/host_survey.h"

namespace crivello::serve {

// The hosts of a collection, for the pages that show them.  Thread-safe.
class HostSource {
 public:
  virtual ~HostSource() = default;
  virtual Result<std::shared_ptr<const collection::HostSurvey>> Hosts() = 0;
};

}  // namespace crivello::serve
