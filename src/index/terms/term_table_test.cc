// SPDX-License-Identifier: Apache-2.0
#include "index/terms/term_table.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "base/random.h"

namespace crivello::index {
namespace {

TEST(TermTableTest, NumbersTermsAsTheyCome) {
  SeededRandom random(1);
  TermTable table;
  for (int batch = 0; batch < 3; batch++) {
    std::map<std::string, uint32_t> judge;
    for (int i = 0; i < 30000; i++) {
      std::string term(random.Below(random.Below(20) == 0 ? 600 : 20), 'a');
      for (char& c : term) c = static_cast<char>(random.Below(random.Below(2) ? 2 : 256));
      const auto [at, added] = judge.try_emplace(term, static_cast<uint32_t>(judge.size()));
      const uint32_t number = table.NumberOf(term);
      ASSERT_EQ(number, at->second);
      ASSERT_EQ(table.term(number), term);
    }
    ASSERT_EQ(table.size(), judge.size());
    table.Clear();
    ASSERT_EQ(table.size(), 0u);
  }
}

// Terms that share their first 8 bytes, or everything except their length.
TEST(TermTableTest, TellsApartWhatIsNearlyTheSame) {
  TermTable table;
  uint32_t next = 0;
  for (size_t length = 0; length < 400; length++)
    EXPECT_EQ(table.NumberOf(std::string(length, '\0')), next++);
  for (size_t at = 0; at < 40; at++) {
    std::string term(40, 'x');
    term[at] = 'y';
    EXPECT_EQ(table.NumberOf(term), next++);
  }
  EXPECT_EQ(table.NumberOf(std::string(399, '\0')), 399u);
}

}  // namespace
}  // namespace crivello::index
