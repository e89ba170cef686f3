// SPDX-License-Identifier: Apache-2.0
#include "base/status.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <memory>

#include "base/clock.h"
#include "base/hash.h"
#include "base/random.h"

namespace crivello {
namespace {

Result<int> Half(int x) {
  if (x % 2 != 0) return Status::InvalidArgument("odd");
  return x / 2;
}

Result<int> Quarter(int x) {
  CRV_ASSIGN(const int half, Half(x));
  CRV_TRY(Half(half));
  return half / 2;
}

TEST(StatusTest, PassesErrorsUpAndValuesOn) {
  EXPECT_EQ(*Quarter(12), 3);
  EXPECT_EQ(Quarter(3).status(), Status::InvalidArgument("odd"));
  EXPECT_EQ(Quarter(6).status().ToString(), "invalid argument: odd");
  EXPECT_EQ(Status::Ok().WithContext("x").ToString(), "ok");
  EXPECT_EQ(Status::Corruption("bad").WithContext("file").ToString(), "corruption: file: bad");
}

TEST(StatusTest, CarriesWhatCannotBeCopied) {
  Result<std::unique_ptr<int>> result(std::make_unique<int>(5));
  EXPECT_EQ(*std::move(result).value(), 5);
}

TEST(StatusTest, NamesWhatTheSystemRefused) {
  const Status status = Status::FromErrno("open", "a/b", ENOENT);
  EXPECT_EQ(status.code(), StatusCode::kNotFound);
  EXPECT_EQ(status.message(), "cannot open a/b: No such file or directory");
  EXPECT_EQ(Status::FromErrno("write", "f", ENOSPC).code(), StatusCode::kIoError);
}

// Signatures are written to files: these values must never change.
TEST(HashTest, IsTheSameForEver) {
  EXPECT_EQ(Hash64(""), 0x2d06800538d394c2u);
  EXPECT_EQ(Hash64("crivello"), 4836176308269049867u);
  EXPECT_EQ(Hash128("crivello", 1).low, 15789718632049828559u);
  Hasher64 hasher;
  hasher.Update(std::as_bytes(std::span("cri", 3)));
  hasher.Update(std::as_bytes(std::span("vello", 5)));
  EXPECT_EQ(hasher.Digest(), Hash64("crivello"));
  EXPECT_NE(Hash64("crivello", 1), Hash64("crivello", 2));
}

TEST(RandomTest, RepeatsItselfFromOneSeed) {
  SeededRandom a(7), b(7);
  for (int i = 0; i < 100; i++) EXPECT_EQ(a.Next(), b.Next());
  for (int i = 0; i < 1000; i++) EXPECT_LT(a.Below(10), 10u);
  for (int i = 0; i < 1000; i++) EXPECT_LT(a.Unit(), 1.0);
}

TEST(ClockTest, StandsStillUntilMoved) {
  ManualClock clock;
  const auto before = clock.Now();
  clock.Advance(std::chrono::hours(24 * 30));
  EXPECT_EQ(clock.Now() - before, std::chrono::hours(24 * 30));
  const auto now = SystemClock().Now();
  EXPECT_LE(now, SystemClock().Now());
}

}  // namespace
}  // namespace crivello
