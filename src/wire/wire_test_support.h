// SPDX-License-Identifier: Apache-2.0
// Helpers for tests and fuzzers of messages; included only by these.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/random.h"
#include "wire/service.h"

namespace crivello::wire {

// Fills the fields of a message with random values: short lists, numbers of all sizes.
class RandomFiller {
 public:
  explicit RandomFiller(Random& random) : random_(random) {}
  template <typename... Values>
  void operator()(Values&... values) {
    (Fill(&values), ...);
  }

 private:
  template <typename T>
  void Fill(T* value) {
    if constexpr (std::is_enum_v<T>) {
      *value = static_cast<T>(random_.Below(static_cast<uint64_t>(T::kLast) + 1));
    } else if constexpr (std::is_same_v<T, bool>) {
      *value = random_.Below(2) != 0;
    } else if constexpr (std::integral<T>) {
      *value = static_cast<T>(random_.Next() >> random_.Below(64));
    } else if constexpr (std::floating_point<T>) {
      *value = static_cast<T>(random_.Below(1000)) / 7;
    } else {
      T::Fields(*this, *value);
    }
  }
  void Fill(std::string* text) {
    text->resize(random_.Below(20));
    for (char& c : *text) c = static_cast<char>(random_.Next());
  }
  template <typename T>
  void Fill(std::optional<T>* value) {
    if (random_.Below(2) != 0) Fill(&value->emplace());
  }
  template <typename T>
  void Fill(std::vector<T>* values) {
    if (++depth_ < 8) {
      for (uint64_t left = random_.Below(4); left > 0; --left) {
        T value = {};
        Fill(&value);
        values->push_back(std::move(value));
      }
    }
    --depth_;
  }
  template <typename T, size_t kSize>
  void Fill(std::array<T, kSize>* values) {
    for (T& value : *values) Fill(&value);
  }
  template <typename A, typename B>
  void Fill(std::pair<A, B>* pair) {
    Fill(&pair->first);
    Fill(&pair->second);
  }
  template <typename V>
  void Fill(std::map<std::string, V>* values) {
    for (uint64_t left = random_.Below(4); left > 0; --left) {
      std::string key;
      Fill(&key);
      Fill(&(*values)[key]);
    }
  }

  Random& random_;
  int depth_ = 0;
};

// Answers every request with an empty answer, unless a test overrides it.
class EmptyService : public CollectionService {
 public:
  Result<PageVersions> Ask(const GetRequest&, Listener&) override { return PageVersions(); }
  Result<PageRecord> Ask(const RecordRequest&, Listener&) override { return PageRecord(); }
  Result<ArchivedPages> Ask(const ArchivedRequest&, Listener&) override { return ArchivedPages(); }
  Result<ScannedPages> Ask(const ScanRequest&, Listener&) override { return ScannedPages(); }
  Result<ExportedPages> Ask(const ExportRequest&, Listener&) override { return ExportedPages(); }
  Result<Reasons> Ask(const WhyRequest&, Listener&) override { return Reasons(); }
  Result<HostReports> Ask(const HostReportsRequest&, Listener&) override { return HostReports(); }
  Result<SeedReports> Ask(const SeedReportsRequest&, Listener&) override { return SeedReports(); }
  Result<CollectionStats> Ask(const CountsRequest&, Listener&) override { return CollectionStats(); }
  Result<Queues> Ask(const QueuesRequest&, Listener&) override { return Queues(); }
  Result<Survey> Ask(const SurveyRequest&, Listener&) override { return Survey(); }
  Result<NextVisit> Ask(const ScheduleRequest&, Listener&) override { return NextVisit(); }
  Result<ScheduleSummary> Ask(const ScheduleSummaryRequest&, Listener&) override { return ScheduleSummary(); }
  Result<ForgottenTargets> Ask(const ForgottenRequest&, Listener&) override { return ForgottenTargets(); }
  Result<ForgetPreview> Ask(const ForgetPreviewRequest&, Listener&) override { return ForgetPreview(); }
  Result<ForgetSummary> Ask(const ForgetRequest&, Listener&) override { return ForgetSummary(); }
  Result<ForgetSummary> Ask(const FinishForgettingRequest&, Listener&) override { return ForgetSummary(); }
  Result<BackupSummary> Ask(const BackupRequest&, Listener&) override { return BackupSummary(); }
  Result<CheckSummary> Ask(const CheckRequest&, Listener&) override { return CheckSummary(); }
  Result<ImportSummary> Ask(const ImportRequest&, Listener&) override { return ImportSummary(); }
  Result<Released> Ask(const ReleaseRequest&, Listener&) override { return Released(); }
  Result<Obeyed> Ask(const OrderRequest&, Listener&) override { return Obeyed(); }
  Result<ListedFeeds> Ask(const ListFeedsRequest&, Listener&) override { return ListedFeeds(); }
  Result<ChangedFeeds> Ask(const ChangeFeedsRequest&, Listener&) override { return ChangedFeeds(); }
  Result<GraphBuildSummary> Ask(const GraphBuildRequest&, Listener&) override { return GraphBuildSummary(); }
};

}  // namespace crivello::wire
