// SPDX-License-Identifier: Apache-2.0
#include "serve/http/http.h"

#include <gtest/gtest.h>

namespace crivello::serve {
namespace {

TEST(HttpTest, SplitsATarget) {
  HttpRequest request;
  ParseTarget("/a%20b/c+d?q=red+apple%26pear&n=10&flag&=x&q=2", &request);
  EXPECT_EQ(request.path, "/a b/c+d");
  EXPECT_EQ(request.Parameter("q"), "red apple&pear");
  EXPECT_EQ(request.Parameter("n"), "10");
  EXPECT_EQ(request.Parameter("flag"), "");
  EXPECT_EQ(request.Parameter("absent"), std::nullopt);
  EXPECT_EQ(request.parameters.size(), 5u);
}

TEST(HttpTest, TakesBrokenEscapesAsTheyStand) {
  HttpRequest request;
  ParseTarget("/%zz%4?q=100%&r=%41%", &request);
  EXPECT_EQ(request.path, "/%zz%4");
  EXPECT_EQ(request.Parameter("q"), "100%");
  EXPECT_EQ(request.Parameter("r"), "A%");
}

}  // namespace
}  // namespace crivello::serve
