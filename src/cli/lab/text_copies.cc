// SPDX-License-Identifier: Apache-2.0
#include "cli/lab/text_copies.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <vector>

#include "cli/json.h"
#include "cli/output.h"
#include "dedup/exact/checksum.h"
#include "dedup/exact/text_digest.h"
#include "dedup/page_digest.h"
#include "dedup/shingles/selection.h"
#include "dedup/shingles/shingler.h"
#include "dedup/simhash/wide_simhash.h"

namespace crivello::cli {
namespace {

std::string HexOf(Signature128 digest) { return fmt::format("{:016x}{:016x}", digest.high, digest.low); }

// The highest bit first, as in the slides.
std::string BitsOf(Signature128 value, unsigned width) {
  std::string bits;
  for (unsigned i = width; i-- > 0;)
    bits += ((i < 64 ? value.low >> i : value.high >> (i - 64)) & 1) != 0 ? '1' : '0';
  return bits;
}

Result<int> PrintChecksums(const Session& session, std::string_view text) {
  const dedup::Words words(text);
  const std::string digest = HexOf(dedup::TextDigest(words)), sample = HexOf(dedup::SampleDigest(words));
  Json steps = Json::array();
  uint64_t sum = 0;
  uint32_t crc = 0;
  if (!session.json) session.out->Print("{:<4} {:<9} {:>8} {:>8}\n", "byte", "character", "sum", "CRC-32");
  for (size_t i = 0; i < text.size(); i++) {
    const std::string_view byte = text.substr(i, 1);
    sum += dedup::ByteSum(byte);
    crc = dedup::Crc32(byte, crc);
    if (session.json) {
      steps.push_back({{"byte", dedup::ByteSum(byte)}, {"sum", sum}, {"crc32", crc}});
    } else {
      session.out->Print("{:<4x} {:<9} {:>8x} {:08x}\n", dedup::ByteSum(byte), Printable(byte), sum, crc);
    }
  }
  if (session.json) {
    PrintJson(session, {{"text", text},
                        {"sum", sum},
                        {"crc32", crc},
                        {"normal_form", words.joined()},
                        {"digest", digest},
                        {"sample_digest", sample},
                        {"steps", std::move(steps)}});
    return kDone;
  }
  session.out->Print("\nsum of the bytes       {:x} (base 16), {}\n", sum, sum);
  session.out->Print("CRC-32                 {:08x}\n", crc);
  session.out->Print("digest of the words    {}\n", digest);
  session.out->Print("digest of a sample     {}\n", sample);
  return kDone;
}

Result<dedup::Shingler> ShinglerOf(const CopiesOptions& options, size_t default_size) {
  dedup::ShingleOptions shingles = {.n = options.size == 0 ? default_size : options.size,
                                    .overlapping = !options.apart};
  if (options.unit == "characters") shingles.unit = dedup::ShingleOptions::Unit::kCharacters;
  return dedup::Shingler::Create(shingles);
}

Result<int> PrintShingles(const Session& session, std::string_view text, const CopiesOptions& options) {
  CRV_ASSIGN(dedup::Shingler shingler, ShinglerOf(options, 5));
  CRV_ASSIGN(const dedup::Selection selection, dedup::Selection::Parse(options.select));
  const dedup::Words words(text);
  const auto shingles = shingler.Cut(words);
  std::vector<uint64_t> fingerprints;
  for (const dedup::Shingle& one : shingles) fingerprints.push_back(one.fingerprint);
  const std::vector<size_t> positions = dedup::SelectedPositions(fingerprints, selection);
  std::vector<bool> selected(shingles.size());
  for (const size_t position : positions) selected[position] = true;
  Json rows = Json::array();
  if (!session.json) session.out->Print("{:<16} {:<8} {}\n", "fingerprint", "selected", "shingle");
  for (size_t i = 0; i < shingles.size(); i++) {
    const std::string_view piece =
        words.joined().substr(shingles[i].begin, shingles[i].end - shingles[i].begin);
    if (session.json) {
      rows.push_back({{"shingle", piece},
                      {"fingerprint", fmt::format("{:016x}", fingerprints[i])},
                      {"selected", static_cast<bool>(selected[i])}});
    } else {
      session.out->Print("{:016x} {:<8} {}\n", fingerprints[i], selected[i] ? "yes" : "", Printable(piece));
    }
  }
  const size_t distinct = dedup::FingerprintSet(shingles).size();
  if (session.json) {
    PrintJson(session, {{"words", words.size()},
                        {"selection", selection.ToString()},
                        {"distinct", distinct},
                        {"selected", positions.size()},
                        {"shingles", std::move(rows)}});
    return kDone;
  }
  session.out->Print("\n{} words, {} shingles, {} of them distinct, {} selected by {}\n", words.size(),
                     shingles.size(), distinct, positions.size(), selection.ToString());
  return kDone;
}

Result<int> PrintSimHash(const Session& session, std::string_view text, const CopiesOptions& options) {
  if (options.bits == 0 || options.bits > dedup::WideSimHash::kMostBits) {
    return Status::InvalidArgument(fmt::format("a SimHash cannot have {} bits: expected 1 to {}",
                                               options.bits, dedup::WideSimHash::kMostBits));
  }
  CRV_ASSIGN(dedup::Shingler shingler, ShinglerOf(options, 1));
  const dedup::Words words(text);
  std::map<std::string_view, int64_t> weights;
  std::vector<std::string_view> features;  // in the order of the text
  for (const dedup::Shingle& one : shingler.Cut(words)) {
    const std::string_view feature = words.joined().substr(one.begin, one.end - one.begin);
    if (weights[feature]++ == 0) features.push_back(feature);
  }
  dedup::WideSimHash simhash(options.bits);
  Json rows = Json::array();
  if (!session.json) session.out->Print("{:>6} {:<{}} {}\n", "weight", "hash", options.bits, "feature");
  for (const std::string_view feature : features) {
    const Signature128 hash = Hash128(feature);
    simhash.Add(hash, weights[feature]);
    const std::string bits = BitsOf(hash, options.bits);
    if (session.json) {
      rows.push_back({{"feature", feature}, {"weight", weights[feature]}, {"hash", bits}});
    } else {
      session.out->Print("{:>6} {:<{}} {}\n", weights[feature], bits, options.bits, Printable(feature));
    }
  }
  const std::vector<int64_t> votes(simhash.votes().rbegin(), simhash.votes().rend());
  const std::string fingerprint = BitsOf(simhash.Value(), options.bits);
  const std::string of_page = fmt::format("{:016x}", dedup::PageDigester().Digest(text).simhash);
  if (session.json) {
    PrintJson(session, {{"bits", options.bits},
                        {"features", std::move(rows)},
                        {"vector", votes},
                        {"fingerprint", fingerprint},
                        {"page_simhash", of_page}});
    return kDone;
  }
  session.out->Print("\nvector                 {}\n", fmt::join(votes, " "));
  session.out->Print("fingerprint            {}\n", fingerprint);
  session.out->Print("SimHash of the crawl   {}\n", of_page);
  return kDone;
}

Result<int> PrintWords(const Session& session, std::string_view text) {
  const dedup::Words words(text);
  Json all = Json::array();
  for (size_t i = 0; i < words.size(); i++) {
    if (session.json) {
      all.push_back(words[i]);
    } else {
      session.out->Print("{}\n", Printable(words[i]));
    }
  }
  if (session.json) PrintJson(session, {{"words", std::move(all)}});
  return kDone;
}

}  // namespace

Result<int> PrintCopies(const Session& session, std::string_view text, const CopiesOptions& options) {
  if (options.checksums) return PrintChecksums(session, text);
  if (options.shingles) return PrintShingles(session, text, options);
  if (options.simhash) return PrintSimHash(session, text, options);
  return PrintWords(session, text);
}

}  // namespace crivello::cli
