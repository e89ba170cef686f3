// SPDX-License-Identifier: Apache-2.0
#include "lab/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>
#include <unordered_map>

#include "bits/block_codec.h"
#include "bits/code_registry.h"
#include "bits/codes.h"
#include "bits/interpolative.h"
#include "succinct/elias_fano.h"

namespace crivello::lab {
namespace {

// A code that needs more than this per integer is not written: unary codes of large numbers would fill the
// memory.
constexpr double kMaxBitsPerInteger = 512;

double CpuNanoseconds() {
  timespec now = {};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

// The best CPU time of `decode`, over at least three runs and about 30 ms.
Result<double> BestTime(const std::function<Status()>& decode) {
  double best = 0, total = 0;
  for (int run = 0; run < 3 || (total < 3e7 && run < 1000); run++) {
    const double start = CpuNanoseconds();
    CRV_TRY(decode());
    const double time = CpuNanoseconds() - start;
    total += time;
    best = run == 0 ? time : std::min(best, time);
  }
  return best;
}

Status Mismatch(std::string_view name) {
  return Status::Corruption(fmt::format("{}: decoded integers differ from those encoded", name));
}

Result<Measurement> MeasureCode(const std::string& name, const std::vector<uint64_t>& values) {
  CRV_ASSIGN(const auto code, bits::FindCode(name));
  const auto n = static_cast<double>(values.size());
  Measurement result = {.code = name};
  double total = 0;
  uint64_t longest = 0;
  for (uint64_t value : values) {
    const uint64_t length = code->Length(value);
    total += static_cast<double>(length);
    longest = std::max(longest, length);
  }
  result.bits_per_integer = total / n;
  if (result.bits_per_integer > kMaxBitsPerInteger || longest > bits::kMaxWordBits) {
    result.note = "not written out: too long";
    return result;
  }
  bits::BitWriter writer;
  CRV_TRY(code->Encode(values, writer));
  const Bytes bytes = writer.Finish();
  std::vector<uint64_t> decoded(values.size());
  CRV_ASSIGN(const double time, BestTime([&] {
               bits::BitReader reader(bytes);
               return code->Decode(reader, decoded);
             }));
  if (decoded != values) return Mismatch(name);
  result.ns_per_integer = time / n;
  return result;
}

Result<Measurement> MeasureBlockCodec(const bits::BlockCodec& codec, const std::vector<uint32_t>& values) {
  std::vector<uint8_t> bytes;
  codec.encode(values, &bytes);
  std::vector<uint32_t> decoded(values.size());
  CRV_ASSIGN(const double time, BestTime([&]() -> Status {
               CRV_TRY(codec.decode(std::as_bytes(std::span(bytes)), decoded));
               return Status::Ok();
             }));
  if (decoded != values) return Mismatch(codec.name);
  const auto n = static_cast<double>(values.size());
  return Measurement{.code = std::string(codec.name),
                     .bits_per_integer = 8 * static_cast<double>(bytes.size()) / n,
                     .ns_per_integer = time / n};
}

uint64_t UpperBound(const std::vector<std::vector<uint64_t>>& lists) {
  uint64_t bound = 0;
  for (const auto& list : lists) bound = std::max(bound, list.back());
  return bound;
}

Result<Measurement> MeasureInterpolative(const Integers& integers) {
  const uint64_t bound = UpperBound(integers.lists);
  bits::BitWriter writer;
  for (const auto& list : integers.lists) CRV_TRY(bits::WriteInterpolative(writer, list, 0, bound));
  const auto total = static_cast<double>(writer.position());
  const Bytes bytes = writer.Finish();
  std::vector<std::vector<uint64_t>> decoded;
  for (const auto& list : integers.lists) decoded.emplace_back(list.size());
  CRV_ASSIGN(const double time, BestTime([&]() -> Status {
               bits::BitReader reader(bytes);
               for (auto& list : decoded) CRV_TRY(bits::ReadInterpolative(reader, 0, bound, list));
               return Status::Ok();
             }));
  if (decoded != integers.lists) return Mismatch("interpolative");
  const auto n = static_cast<double>(integers.values.size());
  return Measurement{
      .code = "interpolative", .bits_per_integer = total / n, .ns_per_integer = time / n, .note = "lists"};
}

Result<Measurement> MeasureEliasFano(const Integers& integers) {
  const uint64_t bound = UpperBound(integers.lists);
  std::vector<ImageWriter> images(integers.lists.size());
  std::vector<succinct::EliasFano> sequences;
  double bytes = 0;
  for (size_t i = 0; i < images.size(); i++) {
    succinct::EliasFanoBuilder builder(integers.lists[i].size(), bound);
    for (uint64_t value : integers.lists[i]) builder.Add(value);
    CRV_TRY(builder.AppendTo(images[i]));
    bytes += static_cast<double>(images[i].bytes().size());
    CRV_ASSIGN(auto sequence, succinct::EliasFano::FromImage(images[i].bytes()));
    sequences.push_back(sequence);
  }
  std::vector<std::vector<uint64_t>> decoded;
  for (const auto& list : integers.lists) decoded.emplace_back(list.size());
  CRV_ASSIGN(const double time, BestTime([&]() -> Status {
               for (size_t i = 0; i < sequences.size(); i++) {
                 auto cursor = sequences[i].Begin();
                 for (uint64_t& value : decoded[i]) {
                   value = cursor.value();
                   cursor.Next();
                 }
               }
               return Status::Ok();
             }));
  if (decoded != integers.lists) return Mismatch("elias-fano");
  const auto n = static_cast<double>(integers.values.size());
  return Measurement{.code = "elias-fano",
                     .bits_per_integer = 8 * bytes / n,
                     .ns_per_integer = time / n,
                     .note = "lists, with directories for skipping"};
}

// The codes without parameters, and those with plausible parameters.
std::vector<std::string> CodeNames(const std::vector<uint64_t>& values) {
  // Gaps of n ones among sum + n places: the Bernoulli model of the notes, with p = n / (sum + n).
  const uint64_t n = values.size();
  uint64_t places = n;
  for (uint64_t value : values) places += std::min(value, ~uint64_t{0} - places);
  return {"unary",
          "gamma",
          "delta",
          "zeta2",
          "zeta3",
          "zeta4",
          fmt::format("golomb{}", bits::GolombCode::OptimalModulus(n, places)),
          "nibble",
          "vbyte",
          "vbyte-prefix"};
}

}  // namespace

double EntropyOf(const std::vector<uint64_t>& values) {
  std::unordered_map<uint64_t, uint64_t> counts;
  for (uint64_t value : values) counts[value]++;
  const auto n = static_cast<double>(values.size());
  double entropy = 0;
  for (const auto& [value, count] : counts) {
    const double p = static_cast<double>(count) / n;
    entropy -= p * std::log2(p);
  }
  return entropy;
}

Result<std::vector<Measurement>> MeasureCodes(const Integers& integers, Progress& progress) {
  std::vector<Measurement> results;
  const auto names = CodeNames(integers.values);
  progress.Start("measuring codes", names.size() + bits::AllBlockCodecs().size() + 2);
  for (const auto& name : names) {
    CRV_ASSIGN(results.emplace_back(), MeasureCode(name, integers.values));
    progress.Advance(1);
  }
  const bool fits =
      std::all_of(integers.values.begin(), integers.values.end(), [](uint64_t v) { return v >> 32 == 0; });
  const std::vector<uint32_t> narrow(fits ? integers.values.begin() : integers.values.end(),
                                     integers.values.end());
  for (const auto& codec : bits::AllBlockCodecs()) {
    if (fits) {
      CRV_ASSIGN(results.emplace_back(), MeasureBlockCodec(codec, narrow));
    }
    progress.Advance(1);
  }
  if (!integers.lists.empty()) {
    CRV_ASSIGN(results.emplace_back(), MeasureInterpolative(integers));
    CRV_ASSIGN(results.emplace_back(), MeasureEliasFano(integers));
  }
  progress.Finish();
  return results;
}

}  // namespace crivello::lab
