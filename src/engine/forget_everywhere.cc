// SPDX-License-Identifier: Apache-2.0
#include "engine/forget_everywhere.h"

#include "care/forgetter.h"
#include "jobs/links/link_inverter.h"
#include "jobs/links/links_folder.h"

namespace crivello::engine {
namespace {

// Removes the links files of all tablets: a page that goes may have links to pages of any.  The rebuild of
// the index has them written again from the rows that stay; a job leaves out what the list of forgotten
// pages names, so one that begins before the rows are gone brings nothing back.
class LinksForgetter final : public care::Forgetter {
 public:
  std::string_view name() const override { return "links"; }
  Status Forget(const care::ForgetTargets& targets, Progress& /*progress*/) override {
    return jobs::RemoveLinks(jobs::LinkFolders(jobs::LinkTabletsOf(targets.store)));
  }
};

}  // namespace

Result<care::ForgetSummary> ForgetEverywhere(collection::Collection& store,
                                             std::span<const collection::ForgetTarget> targets,
                                             const std::string& reason, care::IndexKeeper* index,
                                             Progress& progress) {
  LinksForgetter links;
  return care::Forget(store, targets, reason, {.index = index, .more = {&links}}, progress);
}

Result<std::optional<care::ForgetSummary>> FinishForgettingEverywhere(collection::Collection& store,
                                                                      care::IndexKeeper* index,
                                                                      Progress& progress) {
  LinksForgetter links;
  return care::FinishForgetting(store, {.index = index, .more = {&links}}, progress);
}

}  // namespace crivello::engine
