// SPDX-License-Identifier: Apache-2.0
#include "base/external_sorter.h"

namespace crivello {

template class BasicExternalSorter<ByteOrder>;

}  // namespace crivello
