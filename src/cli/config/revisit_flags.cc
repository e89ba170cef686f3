// SPDX-License-Identifier: Apache-2.0
#include "cli/config/revisit_flags.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <system_error>

#include "cli/app.h"
#include "cli/units.h"
#include "revisit/policy.h"

namespace crivello::cli {
namespace {

constexpr const char* kGroup = "Visiting pages again";

double DaysOf(Duration duration) { return std::chrono::duration<double>(duration).count() / 86400; }

}  // namespace

Result<double> ParsePercent(std::string_view text) {
  double percent = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, percent);
  if (error != std::errc() || rest + 1 != end || *rest != '%' || !(percent >= 0 && percent <= 100)) {
    return Status::InvalidArgument(
        fmt::format("invalid percentage '{}': expected 0% to 100%, such as 5%", text));
  }
  return percent / 100;
}

void AddRevisitFlags(CLI::App& command, RevisitFlags& flags) {
  command
      .add_flag("--continuous", flags.continuous,
                "Run until it is stopped, and fetch each page again when its next visit is due")
      ->group(kGroup);
  command
      .add_option(
          "--revisit", flags.policy,
          "How intervals follow from a page's changes: all the same, shorter the more often it changes, "
          "or as keeps most copies current (fixed, proportional, optimal)")
      ->check(CLI::IsMember(revisit::RevisitPolicyNames()))
      ->type_name("POLICY")
      ->group(kGroup);
  command
      .add_option("--revisit-budget", flags.budget,
                  "Maximum number of revisits per day, or a percentage of the scheduled pages")
      ->type_name("N|P%")
      ->group(kGroup);
  command
      .add_option("--revisit-share", flags.share,
                  "Maximum share of the visits that are revisits, while new pages wait")
      ->type_name("P%")
      ->group(kGroup);
  AddDurationOption(command, "--revisit-shortest", flags.shortest,
                    "Shortest interval between visits of a page")
      ->group(kGroup);
  AddDurationOption(command, "--revisit-longest", flags.longest, "Longest interval between visits of a page")
      ->group(kGroup);
  AddCountOption(
      command, "--keep-versions", flags.keep_versions,
      "Keep text and links of the newest N versions of a page only; the archive keeps all (0: all)")
      ->group(kGroup);
}

Status FinishRevisitOptions(const RevisitFlags& flags, crawl::CrawlOptions* options) {
  crawl::RevisitOptions& revisits = options->revisits;
  revisits.continuous = flags.continuous;
  revisits.planner.policy = flags.policy;
  revisits.planner.limits = {.shortest = DaysOf(flags.shortest), .longest = DaysOf(flags.longest)};
  if (flags.budget.ends_with('%')) {
    const Result<double> share = ParsePercent(flags.budget);
    if (!share.ok()) return share.status().WithContext("--revisit-budget");
    if (*share == 0) return Status::InvalidArgument("--revisit-budget must be above 0");
    revisits.planner.share_per_day = *share;
  } else {
    const Result<uint64_t> visits = ParseCount(flags.budget);
    if (!visits.ok()) return visits.status().WithContext("--revisit-budget");
    if (*visits == 0) return Status::InvalidArgument("--revisit-budget must be above 0");
    revisits.planner.visits_per_day = static_cast<double>(*visits);
  }
  const Result<double> share = ParsePercent(flags.share);
  if (!share.ok()) return share.status().WithContext("--revisit-share");
  revisits.share = *share;
  options->keep_versions = flags.keep_versions;
  // Before anything is created on disk.
  return revisit::Planner::Make(revisits.planner).status();
}

}  // namespace crivello::cli
