// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace crivello::demo {

// A name of the built-in web and the loopback address that serves it.  Several names share an address, as on
// the web, so that politeness to an address differs from politeness to a host.
struct HostAddress {
  std::string name;
  std::string address;
};

// What the web has at a URL, before HTTP.
struct Answer {
  int status = 404;
  std::string content_type = "text/html; charset=utf-8";
  std::string body = {};
  std::string location = {};  // of a redirect, as the server sends it
  std::string etag = {};      // with its quotes; empty unless the status is 200
  int64_t last_modified = 0;  // seconds since 1970
};

// A small web that the program brings along: some 150 pages on ten hosts under .test, in five languages, and
// a mirror of one of them, with what a crawler meets outside: rules, redirects, copies, a feed, a PDF, a dead
// link, a calendar without end.  src/demo/README.md lists where each stands.
//
// The pages are the files of src/demo/web/HOST, embedded at build; "index.html" is what its folder's URL
// gives.  In them, ".test:PORT" is a host with the port that is only known when the server has one.
// `_redirects` has a line "PATH STATUS TARGET" for each redirect of its host.  The calendar is made in code,
// and the mirror from the pages of its original, with its own name where they have theirs.
//
// Immutable, thread-safe.  Get() copies the page; memory is about that of the files.
class BuiltInWeb {
 public:
  explicit BuiltInWeb(uint16_t port);

  uint16_t port() const { return port_; }
  // In a fixed order; addresses are 127.0.0.1 up to 127.0.0.N without a gap.
  static const std::vector<HostAddress>& hosts();
  // The same in the form of hosts(5), for resolvers that read one.
  static std::string HostsFile();
  // The home page of every host.
  std::vector<std::string> Seeds() const;

  // What is at a path (with its query) of a host, named without port and in lower case.
  Answer Get(std::string_view host, std::string_view path_and_query) const;

  // Whether this canonical URL is one of the endless calendar, of which a crawl takes what it will.
  bool IsTrap(std::string_view url) const;
  // Whether a host is too busy for the first request for a page (not for robots.txt): the server answers 503
  // and a second later is well.
  static bool IsBusyAtFirst(std::string_view host);

 private:
  std::string WithPort(std::string_view source) const;
  std::string Origin(std::string_view host) const;
  void AddFile(std::string_view host, std::string_view path, std::string_view bytes);
  void AddRedirects(std::string_view host, std::string_view lines);

  const uint16_t port_;
  std::map<std::string, Answer, std::less<>> answers_;  // by host and path: "a.test/b/"
};

}  // namespace crivello::demo
