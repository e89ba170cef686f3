// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <functional>

#include "base/civil_time.h"
#include "base/file_system.h"
#include "charset/charset.h"
#include "charset/encoding_decode.h"
#include "cli/app.h"
#include "cli/commands/collection.h"
#include "cli/json.h"
#include "cli/output.h"
#include "feeds/opml.h"
#include "web/feed/xml_scanner.h"

namespace crivello::cli {
namespace {

using FeedChange = wire::ChangeFeedsRequest::What;

// The number of feeds that one request changes.
constexpr size_t kFeedsPerRequest = 1000;

std::string TimeOrNever(int64_t seconds) { return seconds > 0 ? FormatRfc3339(seconds) : "never"; }
Json TimeJson(int64_t seconds) { return seconds > 0 ? Json(FormatRfc3339(seconds)) : Json(); }

Status ForEachFeed(wire::CollectionService& service, Listener& listener,
                   const std::function<Status(const wire::FeedLine&)>& visit) {
  wire::ListFeedsRequest request;
  for (std::optional<wire::FeedPlace> place = wire::FeedPlace(); place;) {
    request.after = *place;
    CRV_ASSIGN(wire::ListedFeeds some, service.Ask(request, listener));
    for (const wire::FeedLine& feed : some.feeds) CRV_TRY(visit(feed));
    place = std::move(some.more);
  }
  return Status::Ok();
}

Json LineJson(const wire::FeedLine& feed) {
  return {{"url", feed.url},
          {"site", feed.site},
          {"kind", feed.kind},
          {"ttl", feed.ttl ? Json(*feed.ttl) : Json()},
          {"next", TimeJson(feed.next_poll)},
          {"last_status", feed.last_status},
          {"items", feed.items},
          {"new", feed.last_new}};
}

Result<int> ListFeeds(const Session& session) {
  return WithService(session, [&](wire::CollectionService& service, Listener& listener) -> Result<int> {
    uint64_t count = 0;
    Table table({{"next poll"}, {"kind"}, {"items", true}, {"new", true}, {"status", true}, {"feed"}});
    CRV_TRY(ForEachFeed(service, listener, [&](const wire::FeedLine& feed) {
      count++;
      if (session.json) {
        PrintJson(session, LineJson(feed));
        return session.out->status();
      }
      table.Row({TimeOrNever(feed.next_poll), feed.kind.empty() ? "?" : feed.kind, Grouped(feed.items),
                 Grouped(feed.last_new), feed.last_poll == 0 ? "-" : std::to_string(feed.last_status),
                 Printable(feed.url)});
      return Status::Ok();
    }));
    if (count > 0 && !session.json) session.out->Write(table.ToString());
    return count > 0 ? kDone : kNothingFound;
  });
}

Json SubscriptionJson(const wire::SubscriptionLine& one) {
  return {{"hub", one.hub},
          {"state", one.state},
          {"lease_end", TimeJson(one.lease_end)},
          {"next", TimeJson(one.next)},
          {"last_delivery", TimeJson(one.last_delivery)},
          {"deliveries", one.deliveries},
          {"repeated", one.repeated},
          {"refused", one.refused},
          {"trouble", one.trouble}};
}

void PrintSubscription(const Session& session, const wire::SubscriptionLine& one) {
  std::string state = one.state;
  if (one.state == "subscribed") state = fmt::format("subscribed until {}", TimeOrNever(one.lease_end));
  if (one.state == "asked") state = "asked to subscribe; the hub has not verified it yet";
  if (one.state == "waiting") state = fmt::format("not subscribed; next attempt {}", TimeOrNever(one.next));
  if (one.state == "ending") state = "being ended";
  session.out->Print("push       {}: {}\n", Printable(one.hub), state);
  session.out->Print("           {}, the last {}; {} repeated, {} refused\n",
                     Counted(one.deliveries, "delivery", "deliveries"), TimeOrNever(one.last_delivery),
                     Grouped(one.repeated), Grouped(one.refused));
  if (!one.trouble.empty()) session.out->Print("           trouble: {}\n", Printable(one.trouble));
}

Result<int> ShowFeed(const Session& session, const std::string& url) {
  return WithService(session, [&](wire::CollectionService& service, Listener& listener) -> Result<int> {
    const Result<wire::ListedFeeds> answer = service.Ask(wire::ListFeedsRequest{.url = url}, listener);
    if (answer.status().code() == StatusCode::kNotFound) {
      session.err->Print("crivello: {}\n", Printable(answer.status().message()));
      return kNothingFound;
    }
    if (!answer.ok()) return answer.status();
    if (answer->feeds.empty())
      return Status::Corruption("the owner of the collection answered without a feed");
    const wire::FeedLine& feed = answer->feeds.front();
    if (session.json) {
      Json json = LineJson(feed);
      json["title"] = feed.title;
      json["added"] = feed.added;
      json["last_poll"] = TimeJson(feed.last_poll);
      json["last_news"] = TimeJson(feed.last_news);
      json["polls"] = feed.polls;
      json["failures"] = feed.failures;
      json["trouble"] = feed.trouble;
      json["hubs"] = feed.hubs;
      json["push"] = feed.push;
      json["subscriptions"] = Json::array();
      for (const wire::SubscriptionLine& one : feed.subscriptions) {
        json["subscriptions"].push_back(SubscriptionJson(one));
      }
      PrintJson(session, json);
      return kDone;
    }
    session.out->Print("{}\n", Printable(feed.url));
    if (!feed.title.empty()) session.out->Print("title      {}\n", Printable(feed.title));
    session.out->Print("kind       {}\n", feed.kind.empty() ? "not read yet" : feed.kind);
    if (!feed.site.empty()) session.out->Print("site       {}\n", Printable(feed.site));
    session.out->Print("listed     {}\n", feed.added ? "added by hand" : "found by the crawl");
    if (feed.ttl) session.out->Print("ttl        {} s\n", *feed.ttl);
    session.out->Print("last poll  {}\n", TimeOrNever(feed.last_poll));
    if (feed.last_poll > 0) session.out->Print("status     {}\n", feed.last_status);
    if (!feed.trouble.empty()) {
      session.out->Print("trouble    {} ({} in a row)\n", Printable(feed.trouble),
                         Counted(feed.failures, "failure", "failures"));
    }
    session.out->Print("next poll  {}\n", TimeOrNever(feed.next_poll));
    session.out->Print("last news  {}\n", TimeOrNever(feed.last_news));
    session.out->Print("new items  {} in {}, {} by the last one\n", Grouped(feed.items),
                       Counted(feed.polls, "poll", "polls"), Grouped(feed.last_new));
    for (const std::string& hub : feed.hubs) session.out->Print("hub        {}\n", Printable(hub));
    if (feed.push && feed.subscriptions.empty()) {
      session.out->Print("push       {}\n", feed.hubs.empty()
                                                ? "the feed names no hub"
                                                : "wanted; 'crivello up --push-listen' subscribes");
    }
    for (const wire::SubscriptionLine& one : feed.subscriptions) PrintSubscription(session, one);
    return kDone;
  });
}

Result<int> ChangeFeeds(const Session& session, FeedChange what, const std::vector<wire::NamedFeed>& feeds) {
  return WithServiceToChange(
      session, [&](wire::CollectionService& service, Listener& listener) -> Result<int> {
        wire::ChangedFeeds all;
        size_t sent = 0;
        do {
          const size_t count = std::min(kFeedsPerRequest, feeds.size() - sent);
          wire::ChangeFeedsRequest request = {.what = what, .feeds = {}};
          request.feeds.assign(feeds.begin() + static_cast<std::ptrdiff_t>(sent),
                               feeds.begin() + static_cast<std::ptrdiff_t>(sent + count));
          sent += count;
          CRV_ASSIGN(wire::ChangedFeeds some, service.Ask(request, listener));
          all.changed += some.changed;
          all.switched += some.switched;
          all.crawling = some.crawling;
          all.unchanged.insert(all.unchanged.end(), some.unchanged.begin(), some.unchanged.end());
        } while (sent < feeds.size());
        if (session.json) {
          PrintJson(session, {{"changed", all.changed},
                              {"switched", all.switched},
                              {"unchanged", all.unchanged},
                              {"crawling", all.crawling}});
        } else {
          for (const std::string& url : all.unchanged) {
            session.out->Print("{} is {} the list.\n", Printable(url),
                               what == FeedChange::kAdd ? "already in" : "not in");
          }
          const std::string count = Counted(all.changed, "feed", "feeds");
          if (all.switched > 0) {
            session.out->Print("Changed whether hubs push {}.\n", Counted(all.switched, "feed", "feeds"));
          }
          if (all.changed == 0 && all.switched > 0) return kDone;
          if (what == FeedChange::kRemove) {
            session.out->Print("Removed {}.\n", count);
          } else {
            session.out->Print("{} {}; {}.\n", what == FeedChange::kAdd ? "Added" : "Due now:", count,
                               all.crawling ? "the running crawl polls them now"
                                            : "the next 'crivello up' or 'crivello crawl' polls them");
          }
        }
        return all.changed + all.switched == 0 && !feeds.empty() ? kNothingFound : kDone;
      });
}

Result<int> ImportFeeds(const Session& session, const std::string& path, std::optional<bool> push) {
  CRV_ASSIGN(const std::string bytes, ReadFile(path));
  const auto charset = charset::DecideCharset(bytes, web::XmlDeclaredEncoding(bytes));
  const auto text = charset::DecodeToUtf8(bytes, charset.encoding);
  const auto list = feeds::ParseOpml(text.text());
  if (!list.ok()) return list.status().WithContext(path);
  if (list->empty()) {
    return Status::Corruption(fmt::format("{}: found no feed: no <outline> has an xmlUrl", path));
  }
  std::vector<wire::NamedFeed> feeds;
  for (const feeds::OpmlFeed& feed : *list) {
    auto url = feeds::PollableUrl(feed.url);
    if (url) {
      feeds.push_back({.url = *std::move(url), .site = feed.site, .title = feed.title, .push = push});
    } else {
      session.err->Print("{}: skipped '{}': expected an http:// or https:// URL\n", Printable(path),
                         Printable(feed.url));
    }
  }
  if (feeds.empty())
    return Status::Corruption(fmt::format("{}: found no feed with an http or https URL", path));
  return ChangeFeeds(session, FeedChange::kAdd, feeds);
}

Result<int> ExportFeeds(const Session& session) {
  return WithService(session, [&](wire::CollectionService& service, Listener& listener) -> Result<int> {
    std::vector<feeds::OpmlFeed> list;
    CRV_TRY(ForEachFeed(service, listener, [&](const wire::FeedLine& feed) {
      // A URL that never returned a feed is not useful to others either.
      if (!feed.kind.empty()) list.push_back({.url = feed.url, .site = feed.site, .title = feed.title});
      return Status::Ok();
    }));
    session.out->Write(feeds::FormatOpml("Feeds of " + session.collection, list));
    return list.empty() ? kNothingFound : kDone;
  });
}

}  // namespace

void AddFeedReadCommand(CLI::App& feed, Session& session);  // feed_read.cc

void AddFeedCommand(CLI::App& app, Session& session) {
  CLI::App* feed = app.add_subcommand("feed", "Follow the feeds of sites: RSS, Atom, JSON Feed");
  feed->require_subcommand(1);
  auto urls = std::make_shared<std::vector<std::string>>();
  auto file = std::make_shared<std::string>();
  struct PushFlags {
    bool on = false, off = false;
    std::optional<bool> wanted() const { return on || off ? std::optional<bool>(on) : std::nullopt; }
  };
  auto push = std::make_shared<PushFlags>();
  const auto named = [urls, push] {
    std::vector<wire::NamedFeed> feeds;
    for (const std::string& url : *urls) feeds.push_back({.url = url, .push = push->wanted()});
    return feeds;
  };
  const auto add_push = [push](CLI::App& command) {
    CLI::Option* const on = command.add_flag(
        "--push", push->on, "Subscribe to the feeds at their WebSub hubs (needs 'up --push-listen')");
    command.add_flag("--no-push", push->off, "End the subscriptions to the feeds")->excludes(on);
  };

  CLI::App* add = feed->add_subcommand("add", "Follow feeds, or the feeds that sites have");
  add->add_option("URL", *urls, "URLs of feeds, or of pages of sites")->required();
  add_push(*add);
  add->footer(
      "A feed that is in the list already can be added again with --push or --no-push.\n"
      "A page of a site is replaced by the feeds that it names, or by those found at the usual paths.\n\n"
      "Examples:\n  crivello feed add https://example.org/\n"
      "  crivello feed add --push https://example.org/feed");
  Runs(*add, session, [&session, named] { return ChangeFeeds(session, FeedChange::kAdd, named()); });

  CLI::App* list = feed->add_subcommand("list", "List the feeds of the collection");
  list->footer("Example:\n  crivello --json feed list");
  Runs(*list, session, [&session] { return ListFeeds(session); });

  CLI::App* show = feed->add_subcommand("show", "Show what is known of a feed");
  show->add_option("URL", *file, "URL of the feed")->required();
  show->footer("Example:\n  crivello feed show https://example.org/feed");
  Runs(*show, session, [&session, file] { return ShowFeed(session, *file); });

  CLI::App* poll = feed->add_subcommand("poll", "Poll feeds now, whenever they are due");
  poll->add_option("URL", *urls, "URLs of feeds (default: all)");
  poll->footer("Example:\n  crivello feed poll https://example.org/feed");
  Runs(*poll, session, [&session, urls, named] {
    return ChangeFeeds(session, urls->empty() ? FeedChange::kPollAll : FeedChange::kPoll, named());
  });

  CLI::App* remove = feed->add_subcommand("remove", "Stop following feeds; their pages stay");
  remove->add_option("URL", *urls, "URLs of feeds")->required();
  remove->footer("Example:\n  crivello feed remove https://example.org/feed");
  Runs(*remove, session, [&session, named] { return ChangeFeeds(session, FeedChange::kRemove, named()); });

  CLI::App* import = feed->add_subcommand("import", "Follow the feeds of an OPML file");
  import->add_option("FILE", *file, "OPML file")->required();
  add_push(*import);
  import->footer("Example:\n  crivello feed import subscriptions.opml");
  Runs(*import, session, [&session, file, push] { return ImportFeeds(session, *file, push->wanted()); });

  CLI::App* export_command = feed->add_subcommand("export", "Write the feeds as OPML to standard output");
  export_command->footer("Example:\n  crivello feed export > feeds.opml");
  Runs(*export_command, session, [&session] { return ExportFeeds(session); });

  AddFeedReadCommand(*feed, session);
  feed->footer(
      "Examples:\n"
      "  crivello feed add https://example.org/\n"
      "  crivello feed list\n"
      "  crivello feed read news.xml");
}

}  // namespace crivello::cli
