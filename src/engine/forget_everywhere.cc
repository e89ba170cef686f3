// SPDX-License-Identifier: Apache-2.0
#include "engine/forget_everywhere.h"

#include "care/forgetter.h"
#include "jobs/duplicates/duplicates_folder.h"
#include "jobs/graph/graph_folder.h"
#include "jobs/links/link_inverter.h"
#include "jobs/links/links_folder.h"

namespace crivello::engine {
namespace {

// Removes the links files of all tablets, because a forgotten page may link to pages of any tablet.  The
// rebuild of the index writes them again from the remaining rows.  A job skips what the list of forgotten
// pages names, so even one that starts before the rows are gone brings nothing back.
class LinksForgetter final : public care::Forgetter {
 public:
  std::string_view name() const override { return "links"; }
  Status Forget(const care::ForgetTargets& targets, Progress& /*progress*/) override {
    return jobs::RemoveLinks(jobs::LinkFolders(jobs::LinkTabletsOf(targets.store)));
  }
};

// Deletes the graphs, which were made from the links of all pages, and the names of forgotten pages and
// hosts; the other nodes keep names and ranks.  `graph build` builds the graphs again from the remaining
// rows, and skips what the list of forgotten pages names.
class GraphsForgetter final : public care::Forgetter {
 public:
  std::string_view name() const override { return "graphs"; }
  Status Forget(const care::ForgetTargets& targets, Progress& /*progress*/) override {
    return jobs::ForgetInGraphs(
        targets.store.directory(), [&targets](jobs::GraphLevel level, std::string_view name) {
          return level == jobs::GraphLevel::kPage ? targets.going.Find(name) != nullptr
                                                  : targets.going.ContainsHost(jobs::ReverseHost(name));
        });
  }
};

// Removes fingerprints, pairs and clusters, because a forgotten page may be in any of them.  The dup cells
// have a forgetter of their own (care/forgetters.h).
class DuplicateFilesForgetter final : public care::Forgetter {
 public:
  std::string_view name() const override { return "files of duplicates"; }
  Status Forget(const care::ForgetTargets& targets, Progress& /*progress*/) override {
    return jobs::RemoveDuplicates(targets.store.directory(), jobs::DuplicateFolders(targets.store));
  }
};

}  // namespace

Result<care::ForgetSummary> ForgetEverywhere(collection::Collection& store,
                                             std::span<const collection::ForgetTarget> targets,
                                             const std::string& reason, care::IndexKeeper* index,
                                             Progress& progress) {
  LinksForgetter links;
  GraphsForgetter graphs;
  DuplicateFilesForgetter duplicates;
  return care::Forget(store, targets, reason, {.index = index, .more = {&links, &graphs, &duplicates}},
                      progress);
}

Result<std::optional<care::ForgetSummary>> FinishForgettingEverywhere(collection::Collection& store,
                                                                      care::IndexKeeper* index,
                                                                      Progress& progress) {
  LinksForgetter links;
  GraphsForgetter graphs;
  DuplicateFilesForgetter duplicates;
  return care::FinishForgetting(store, {.index = index, .more = {&links, &graphs, &duplicates}}, progress);
}

}  // namespace crivello::engine
