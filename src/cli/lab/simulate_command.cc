// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/atomic_file.h"
#include "cli/app.h"
#include "cli/json.h"
#include "cli/output.h"
#include "cli/units.h"
#include "revisit/freshness_plot.h"
#include "revisit/revisit_simulation.h"

namespace crivello::cli {
namespace {

// The optimal policy, ignoring hints.
constexpr std::string_view kUnhinted = "unhinted";

struct RevisitFlags {
  revisit::RevisitSimulationOptions simulation;
  std::vector<std::string> laws;  // empty lists: the defaults
  std::vector<double> budgets;    // percent
  std::vector<std::string> policies;
  uint64_t pages = 100'000;
  uint64_t hosts = 1'000;
  std::string svg;
};

struct RevisitRow {
  std::string law;
  double budget;
  std::string policy;
  revisit::RevisitReport report;
  double fixed;  // freshness at a fixed interval
  // The share of the way from a fixed interval to the optimum, which is known only for Poisson changes.
  bool HasGap() const { return law == "poisson"; }
  double GapClosed() const { return (report.freshness - fixed) / (report.optimum - fixed); }
};

Json RowJson(const RevisitRow& row) {
  const revisit::RevisitReport& report = row.report;
  Json line = {{"law", row.law},         {"budget", row.budget / 100},
               {"policy", row.policy},   {"freshness", report.freshness},
               {"age", report.age},      {"optimum", report.optimum},
               {"visits", report.visits}};
  if (row.HasGap()) line["gap_closed"] = row.GapClosed();
  if (report.precision > 0) {
    line["precision"] = report.precision;
    line["recall"] = report.recall;
  }
  return line;
}

Result<int> SimulateRevisit(const Session& session, RevisitFlags flags) {
  if (flags.laws.empty()) flags.laws = {"poisson"};
  if (flags.budgets.empty()) flags.budgets = {1, 5, 20};
  if (flags.policies.empty()) flags.policies = {"fixed", "proportional", "optimal"};
  if (!flags.svg.empty() && (flags.laws.size() != 1 || flags.budgets.size() != 1)) {
    return Status::InvalidArgument("--svg draws one law and one budget; give one --law and one --budget");
  }
  revisit::RevisitSimulationOptions options = flags.simulation;
  if (flags.pages > 1u << 24 || flags.hosts > flags.pages)
    return Status::InvalidArgument("a simulated web has at most 16777216 pages, and a page for each host");
  options.web.pages = static_cast<uint32_t>(flags.pages);
  options.web.hosts = static_cast<uint32_t>(flags.hosts);
  Table table({{"law"},
               {"budget", true},
               {"policy"},
               {"freshness", true},
               {"age", true},
               {"optimum", true},
               {"gap closed", true}});
  revisit::FreshnessPlot plot;
  for (const std::string& law : flags.laws) {
    CRV_ASSIGN(options.web.law, revisit::FindChangeLaw(law));
    for (const double budget : flags.budgets) {
      options.budget = budget / 100;
      options.policy = "fixed";
      options.ignore_hints = false;
      CRV_ASSIGN(const revisit::RevisitReport fixed, revisit::SimulateRevisits(options));
      for (const std::string& policy : flags.policies) {
        options.policy = policy == kUnhinted ? "optimal" : policy;
        options.ignore_hints = policy == kUnhinted;
        RevisitRow row = {
            .law = law, .budget = budget, .policy = policy, .report = fixed, .fixed = fixed.freshness};
        if (policy != "fixed") {
          CRV_ASSIGN(row.report, revisit::SimulateRevisits(options));
        }
        if (session.json) PrintJson(session, RowJson(row));
        table.Row({law, fmt::format("{}%", budget), policy, fmt::format("{:.4f}", row.report.freshness),
                   fmt::format("{:.1f} d", row.report.age), fmt::format("{:.4f}", row.report.optimum),
                   row.HasGap() ? fmt::format("{:.0f}%", 100 * row.GapClosed()) : ""});
        plot.curves.push_back({.name = policy, .by_cycle = row.report.curve});
        plot.optimum = row.report.optimum;
        plot.title = fmt::format("freshness, {} changes, {}% of the pages a day", law, budget);
      }
    }
  }
  if (!session.json) session.out->Print("{}", table.ToString());
  if (!flags.svg.empty()) CRV_TRY(WriteFileAtomically(flags.svg, AsBytes(revisit::DrawFreshness(plot))));
  return kDone;
}

void AddRevisit(CLI::App& simulate, Session& session) {
  CLI::App* command = simulate.add_subcommand(
      "revisit", "Measure policies of revisiting pages on a simulated web that changes");
  auto flags = std::make_shared<RevisitFlags>();
  revisit::RevisitSimulationOptions& simulation = flags->simulation;
  std::vector<std::string> laws;
  for (const std::string_view name : revisit::ChangeLawNames()) laws.emplace_back(name);
  command
      ->add_option(
          "--law", flags->laws,
          "How pages change: poisson, bursty, periodic; hinted (some changes are announced), lying (and a "
          "third of the announcements are false), false (all are); default: poisson")
      ->check(CLI::IsMember(laws))
      ->type_name("LAW");
  command
      ->add_option("--budget", flags->budgets,
                   "Visits per day, in percent of the pages (default: 1, 5 and 20)")
      ->check(CLI::Range(0.01, 100.0))
      ->type_name("PERCENT");
  command
      ->add_option(
          "--policy", flags->policies,
          "Policy: fixed (one interval for all pages), proportional (to the rate of changes), optimal, "
          "unhinted (optimal, ignoring hints); default: all but unhinted")
      ->check(CLI::IsMember({"fixed", "proportional", "optimal", "unhinted"}))
      ->type_name("POLICY");
  AddCountOption(*command, "--pages", flags->pages, "Number of pages")->default_str("100k");
  AddCountOption(*command, "--hosts", flags->hosts, "Number of hosts")->default_str("1k");
  command->add_option("--median", simulation.web.median_days, "Median of the time between changes, in days")
      ->capture_default_str();
  command->add_option("--sigma", simulation.web.sigma, "Standard deviation of the logarithm of the rates")
      ->capture_default_str();
  command
      ->add_option("--dated", simulation.dated, "Share of the pages whose server says when they last changed")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  command->add_option("--host-limit", simulation.host_limit, "Visits per day to one host (0: no limit)")
      ->capture_default_str();
  command->add_option("--visits", simulation.learning, "Visits per page before measuring, in the mean")
      ->check(CLI::Range(1.0, 900.0))
      ->capture_default_str();
  command->add_option("--seed", simulation.web.seed, "Seed of the simulated web")->capture_default_str();
  command->add_option("--svg", flags->svg, "Draw freshness over time to this file")->type_name("FILE");
  command->footer(
      "Freshness is the share of pages of which the copy is current, and age the mean time for which copies "
      "have been\n"
      "out of date. Both are measured over 5 visits per page, after those of --visits. The optimum is the "
      "best\n"
      "freshness of Poisson changes without hints, if all rates are known. 'gap closed' is the part of the "
      "way from a\n"
      "fixed interval to the optimum, with Poisson changes. docs/freshness.md explains the policies.\n"
      "\n"
      "With --json, prints a line for each law, budget and policy:\n"
      "  {\"law\",\"budget\",\"policy\",\"freshness\",\"age\",\"optimum\",\"visits\",\"gap_closed\"}\n"
      "The age is in days and the budget a share of the pages.\n"
      "\n"
      "Examples:\n"
      "  crivello simulate revisit --pages 5k --hosts 50 --budget 5\n"
      "  crivello simulate revisit --law lying --policy optimal unhinted --pages 5k --hosts 50 --budget 5\n"
      "  crivello simulate revisit --budget 5 --svg freshness.svg");
  Runs(*command, session, [&session, flags] { return SimulateRevisit(session, *flags); });
}

}  // namespace

void AddSimulateCommand(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("simulate", "Try policies of the crawler on simulated webs");
  command->require_subcommand(1);
  AddRevisit(*command, session);
}

}  // namespace crivello::cli
