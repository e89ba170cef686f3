// SPDX-License-Identifier: Apache-2.0
#include "revisit/price.h"

#include <algorithm>
#include <cmath>

namespace crivello::revisit {

void PriceFeedback::OnVisit(const Load& load, double least) {
  const double cycle = load.pages / load.budget;  // days in which every page could be visited once
  const double error = load.planned / load.budget - 1 + 4 * load.late_days / cycle;
  price_ = std::max(least, price_ * std::exp(kGain / load.pages * std::clamp(error, -1.0, 1.0)));
}

}  // namespace crivello::revisit
