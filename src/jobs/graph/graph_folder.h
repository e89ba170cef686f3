// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_system.h"
#include "base/status.h"
#include "jobs/graph/graph_names.h"

namespace crivello::jobs {

// The graphs of a collection and their ranks:
//   graph/pages.graph .offsets .properties   a level's graph, in WebGraph's format (hosts, domains alike)
//   graph/pages.urls                         the names of its nodes (names/name_list.h)
//   graph/hosts-links.labels .labeloffsets .properties   how many links an arc of hosts or domains represents
//   graph/lock                               held while these files are written or removed
//   graph/pages.making/                      files being written; may be left by a crash
//   graph/pages.made/                        complete files that are about to replace the old ones
//   ranks/NAME                               a rank (graph/rank_file.h)

std::string GraphFolder(std::string_view collection);
std::string GraphBasename(std::string_view collection, GraphLevel level);
// The list of names of the graph with that basename.
std::string NamesPath(std::string_view basename);
// The basename of the labels that count links.
std::string LinkCountsBasename(std::string_view basename);
// InvalidArgument unless the name has 1 to 64 letters, digits, "-" and "_".
Result<std::string> RankPath(std::string_view collection, std::string_view name);

// The exclusive right to write or remove graphs, released with the object or the process.  Taking it
// completes what a crash interrupted.
class GraphLock {
 public:
  // Waits until nobody has it.  Creates the folder if it is missing.
  static Result<GraphLock> Take(std::string_view collection);
  GraphLock(GraphLock&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  GraphLock& operator=(GraphLock&&) = delete;
  ~GraphLock();

 private:
  explicit GraphLock(int fd) : fd_(fd) {}
  int fd_;
};

// Replaces the files of a level together.  They are written to a folder created by Begin(), and Commit()
// moves them to their place.  Once Commit() has renamed the folder they are valid, whatever happens then: the
// next process that opens or locks the graphs moves the rest.  REQUIRES: the caller has the lock.
class GraphReplacement {
 public:
  static Result<GraphReplacement> Begin(std::string_view collection, GraphLevel level);
  // The basename in the new folder.
  std::string basename() const;
  Status Commit();

 private:
  GraphReplacement(std::string folder, GraphLevel level) : folder_(std::move(folder)), level_(level) {}
  std::string folder_;
  GraphLevel level_;
};

// Completes an interrupted replacement, if there is one.  Call it before opening files.
Status FinishReplacing(std::string_view collection);

// Deletes data about forgotten pages: the graphs, which were made from their links, and from lists of names
// those that `gone` accepts, given level and name.  Nodes without a name keep their rank.  Durable.
Status ForgetInGraphs(std::string_view collection,
                      const std::function<bool(GraphLevel, std::string_view)>& gone);

}  // namespace crivello::jobs
