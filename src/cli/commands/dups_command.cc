// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/file_system.h"
#include "cli/app.h"
#include "cli/commands/collection.h"
#include "cli/commands/graph_session.h"
#include "cli/output.h"
#include "cli/units.h"
#include "jobs/duplicates/find_duplicates.h"
#include "jobs/duplicates/mirrors.h"
#include "jobs/duplicates/page_texts.h"
#include "page/page_reader.h"
#include "policy/seed.h"
#include "text/content/main_content.h"
#include "web/url/row_key.h"

namespace crivello::cli {
namespace {

struct DupsFlags {
  std::string target;  // a URL or a file
  bool all = false;
  bool mirrors = false;
  bool pairs = false;
  bool clusters = false;
  std::string method = "shingles";
  std::optional<double> threshold;
  unsigned threads = 2;
  uint64_t memory = uint64_t{512} << 20;
};

Result<jobs::FindDuplicatesOptions> JobOptions(const DupsFlags& flags, const GraphWork& work) {
  jobs::FindDuplicatesOptions options = {.threshold = flags.threshold,
                                         .threads = flags.threads,
                                         .memory_bytes = flags.memory,
                                         .stop = work.stop()};
  CRV_ASSIGN(options.method, dedup::ParseMethod(flags.method));
  return options;
}

// A page of a pair or of a cluster.
struct DupsPage {
  std::string url;
  std::string id;

  Json ToJson() const {
    Json page = {{"url", url}};
    if (!id.empty()) page["id"] = id;
    return page;
  }
};

Result<DupsPage> PageOf(collection::Collection& store, const jobs::FoundDuplicates& found,
                        uint32_t document) {
  const std::string name = found.fingerprints.NameOf(document);
  CRV_ASSIGN(const jobs::PageName page, jobs::ParsePageName(name));
  CRV_ASSIGN(const web::Url url, web::UrlOfRowKey(page.row_key));
  CRV_ASSIGN(collection::Tablet* const tablet, store.TabletOfHost(url.hostname()));
  CRV_ASSIGN(const std::vector<store::Row> rows, tablet->table().Get(page.row_key));
  return DupsPage{url.href(), rows.empty() ? "" : rows.front().fetch.id};
}

Status PrintPairs(const Session& session, collection::Collection& store, const jobs::FoundDuplicates& found) {
  return found.ForEachPair([&](uint32_t first, uint32_t second, double similarity) -> Status {
    CRV_ASSIGN(const DupsPage a, PageOf(store, found, first));
    CRV_ASSIGN(const DupsPage b, PageOf(store, found, second));
    if (session.json) {
      PrintJson(session, {{"a", a.ToJson()}, {"b", b.ToJson()}, {"similarity", similarity}});
    } else {
      session.out->Print("{:.3f}  {}  {}\n", similarity, Printable(a.url), Printable(b.url));
    }
    return Status::Ok();
  });
}

Status PrintClusters(const Session& session, collection::Collection& store,
                     const jobs::FoundDuplicates& found) {
  for (const jobs::DuplicateCluster& cluster : found.clusters) {
    CRV_ASSIGN(const DupsPage representative, PageOf(store, found, cluster.representative));
    if (!session.json) session.out->Print("{}\n", Printable(representative.url));
    Json members = Json::array();
    for (const uint32_t document : cluster.members) {
      CRV_ASSIGN(const DupsPage member, PageOf(store, found, document));
      if (session.json) {
        members.push_back(member.ToJson());
      } else if (document != cluster.representative) {
        session.out->Print("  {}\n", Printable(member.url));
      }
    }
    if (session.json) {
      PrintJson(session, {{"representative", representative.ToJson()}, {"members", std::move(members)}});
    }
  }
  return Status::Ok();
}

void PrintFound(const Session& session, const jobs::FoundDuplicates& found, const GraphWork& work) {
  const uint64_t n = found.documents;
  const uint64_t all = n < 2 ? 0 : n * (n - 1) / 2;
  if (session.json) {
    Json done = {{"event", "done"},
                 {"pages", found.pages.pages},
                 {"texts_read", found.pages.added},
                 {"documents", n},
                 {"n_squared", n * n},
                 {"comparisons", found.counts.comparisons},
                 {"avoided", found.avoided},
                 {"equal", found.equal},
                 {"pairs", found.pairs},
                 {"clusters", found.clusters.size()},
                 {"in_clusters", found.in_clusters}};
    work.AddTimes(&done);
    PrintJson(session, done);
    return;
  }
  session.out->Print(
      "{} pages, {} read and fingerprinted; {} in {}: {} equal to another, {} of similar fingerprints\n",
      Grouped(found.pages.pages), Grouped(found.pages.added), Grouped(found.in_clusters),
      Counted(found.clusters.size(), "cluster", "clusters"), Grouped(found.equal),
      Counted(found.pairs, "pair", "pairs"));
  session.out->Print("comparisons: {} made, {} avoided of n(n-1)/2 = {}; n = {}, n^2 = {}; {:.1f} s\n",
                     Grouped(found.counts.comparisons), Grouped(found.avoided), Grouped(all), Grouped(n),
                     Grouped(n * n), work.seconds());
}

Result<int> RunAll(const Session& session, const DupsFlags& flags) {
  GraphWork work(session);
  CRV_ASSIGN(const jobs::FindDuplicatesOptions options, JobOptions(flags, work));
  CRV_ASSIGN(const auto store, OpenExisting(session));
  CRV_ASSIGN(const jobs::FoundDuplicates found, jobs::FindDuplicates(*store, options, work.progress()));
  if (flags.pairs) CRV_TRY(PrintPairs(session, *store, found));
  if (flags.clusters) CRV_TRY(PrintClusters(session, *store, found));
  PrintFound(session, found, work);
  CRV_TRY(store->Close());
  return found.clusters.empty() ? kNothingFound : kDone;
}

Result<int> RunMirrors(const Session& session) {
  CRV_ASSIGN(const auto store, OpenExisting(session));
  CRV_ASSIGN(const std::vector<jobs::MirrorHosts> mirrors, jobs::FindMirrors(*store));
  Table table({{"host"}, {"mirrors"}, {"share", true}, {"shared", true}, {"pages", true}, {"of", true}});
  for (const jobs::MirrorHosts& mirror : mirrors) {
    if (session.json) {
      PrintJson(session, {{"host", mirror.host},
                          {"original", mirror.original},
                          {"share", mirror.share()},
                          {"shared", mirror.shared},
                          {"pages", mirror.pages},
                          {"original_pages", mirror.original_pages}});
    } else {
      table.Row({Printable(mirror.host), Printable(mirror.original),
                 fmt::format("{:.0f}%", 100 * mirror.share()), Grouped(mirror.shared), Grouped(mirror.pages),
                 Grouped(mirror.original_pages)});
    }
  }
  if (!session.json && !mirrors.empty()) session.out->Print("{}", table.ToString());
  if (!session.json && mirrors.empty()) {
    session.out->Print("no mirrors; 'crivello dups --all' finds the near-duplicates that tell them\n");
  }
  CRV_TRY(store->Close());
  return mirrors.empty() ? kNothingFound : kDone;
}

// The text to compare, and the row key of its page; empty for a file.
struct Wanted {
  std::string text;
  std::string row_key;
};

Result<Wanted> TextOfFile(const std::string& path) {
  CRV_ASSIGN(const std::string bytes, ReadFile(path));
  web::Url url;
  if (!url.Parse("http://file.invalid/" + std::filesystem::path(path).filename().string()))
    (void)url.Parse("http://file.invalid/");
  page::PageReader reader((page::PageReaderOptions()));
  page::PageReading reading = reader.Read({.url = url, .fields = web::HttpFields(), .body = bytes});
  CRV_TRY(reading.conversion);
  if (reading.kind == page::BodyKind::kHtml) text::MarkMainContent(&reading.html);
  return Wanted{reading.html.document.MainText(), ""};
}

Result<Wanted> TextOfPage(collection::Collection& store, const std::string& typed) {
  CRV_ASSIGN(const web::Url url, policy::UrlAsTyped(typed));
  CRV_ASSIGN(std::string key, web::RowKey(url));
  CRV_ASSIGN(collection::Tablet* const tablet, store.TabletOfHost(url.hostname()));
  CRV_ASSIGN(const std::vector<store::Row> rows, tablet->table().Get(key, {.text = true}));
  if (rows.empty() || !rows.front().text) {
    return Status::NotFound(fmt::format("the collection has no text of {}", url.href()));
  }
  return Wanted{(*rows.front().text)->MainText(), std::move(key)};
}

Result<int> RunOne(const Session& session, const DupsFlags& flags) {
  GraphWork work(session);
  CRV_ASSIGN(const jobs::FindDuplicatesOptions options, JobOptions(flags, work));
  CRV_ASSIGN(const auto store, OpenExisting(session));
  std::error_code error;
  const bool is_file = std::filesystem::is_regular_file(flags.target, error);
  const auto wanted = is_file ? TextOfFile(flags.target) : TextOfPage(*store, flags.target);
  auto found = wanted.ok() ? jobs::FindNearDuplicatesOf(*store, wanted->text, wanted->row_key, options)
                           : Result<jobs::SimilarPages>(wanted.status());
  if (found.status().code() == StatusCode::kNotFound) {
    session.err->Print("{}\n", Printable(found.status().message()));
    return kNothingFound;
  }
  CRV_TRY(found.status());
  for (const jobs::SimilarPage& page : found->pages) {
    if (session.json) {
      PrintJson(session, {{"a", {{is_file ? "file" : "url", flags.target}}},
                          {"b", DupsPage{page.url, page.id}.ToJson()},
                          {"similarity", page.similarity}});
    } else {
      session.out->Print("{:.3f}  {}\n", page.similarity, Printable(page.url));
    }
  }
  if (session.json) {
    PrintJson(session,
              {{"event", "done"}, {"comparisons", found->comparisons}, {"documents", found->documents}});
  } else {
    session.out->Print("{}; {} comparisons among {} pages\n",
                       Counted(found->pages.size(), "near-duplicate", "near-duplicates"),
                       Grouped(found->comparisons), Grouped(found->documents));
  }
  CRV_TRY(store->Close());
  return found->pages.empty() ? kNothingFound : kDone;
}

Result<int> RunDups(const Session& session, const DupsFlags& flags) {
  const int asked = (flags.target.empty() ? 0 : 1) + (flags.all ? 1 : 0) + (flags.mirrors ? 1 : 0);
  if (asked != 1) {
    return Status::InvalidArgument(
        asked == 0 ? "nothing to look for: give a URL or a file, --all or --mirrors"
                   : "a URL or file, --all and --mirrors exclude each other: give one of them");
  }
  if (flags.mirrors) return RunMirrors(session);
  return flags.all ? RunAll(session, flags) : RunOne(session, flags);
}

}  // namespace

void AddDupsCommand(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("dups", "Find pages that are nearly equal");
  auto flags = std::make_shared<DupsFlags>();
  command->add_option("URL|FILE", flags->target,
                      "Page of the collection, or file, to find near-duplicates of");
  CLI::Option* all = command->add_flag(
      "--all", flags->all, "Find all near-duplicates and their clusters, which search folds from then on");
  command->add_flag("--mirrors", flags->mirrors,
                    "List hosts most of whose pages are near-duplicates of another host's pages");
  command->add_flag("--pairs", flags->pairs, "With --all: print each pair and its similarity")->needs(all);
  command->add_flag("--clusters", flags->clusters, "With --all: print each cluster, its representative first")
      ->needs(all);
  command->add_option("--method", flags->method, "How pages are compared (docs/duplicates.md)")
      ->check(CLI::IsMember({"shingles", "minhash", "simhash"}))
      ->capture_default_str();
  command
      ->add_option("--threshold", flags->threshold,
                   "Share of the words of the longer page that both must contain (default: 0.7 for shingles; "
                   "for minhash and simhash it follows from their fingerprints)")
      ->check(CLI::Range(0.0, 1.0))
      ->type_name("T");
  command->add_option("--threads", flags->threads, "Number of threads; the result does not depend on it")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  AddSizeOption(*command, "--memory", flags->memory, "Memory limit");
  command->footer(
      "When the collection has grown, --all reads only the new texts. An interrupted run resumes.\n"
      "\n"
      "Examples:\n"
      "  crivello dups --all --clusters\n"
      "  crivello dups https://example.org/manual/\n"
      "  crivello dups draft.html --threshold 0.9\n"
      "  crivello dups --mirrors");
  Runs(*command, session, [&session, flags] { return RunDups(session, *flags); });
}

}  // namespace crivello::cli
