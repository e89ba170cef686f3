// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/progress.h"
#include "base/status.h"
#include "collection/forgotten.h"
#include "collection/tablet.h"
#include "store/archive_check.h"

namespace crivello::care {

// Reports each page of a tablet's archive that has no row, is not queued and was not forgotten: its
// row was lost. (A page whose fetch was interrupted by a crash is archived, has no row, and is still
// queued.  Responses to requests for robots.txt have no rows.)  Costs one table lookup per line of
// the archive's indexes; files without an index are read completely.  The tablet may be crawled
// meanwhile.
Status CheckArchiveAgainstRows(collection::Tablet& tablet, const collection::ForgottenSet& forgotten,
                               store::StoreCheck* check, Progress& progress);

}  // namespace crivello::care
