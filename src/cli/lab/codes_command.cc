// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/file_system.h"
#include "base/image.h"
#include "bits/code_registry.h"
#include "bits/kraft.h"
#include "bits/universality.h"
#include "bits/word_set.h"
#include "cli/app.h"
#include "cli/json.h"
#include "cli/output.h"
#include "cli/terminal_progress.h"
#include "lab/integers.h"
#include "lab/measure.h"
#include "succinct/elias_fano.h"

namespace crivello::cli {
namespace {

constexpr uint64_t kMaxShownBits = 64;

std::string BitString(Bytes bytes, uint64_t count) {
  std::string text;
  bits::BitReader reader(bytes);
  for (uint64_t i = 0; i < count; i++) text += reader.ReadBits(1) != 0 ? '1' : '0';
  return text;
}

Result<std::string> WordOf(const bits::Code& code, uint64_t number) {
  bits::BitWriter writer;
  CRV_TRY(code.Encode({&number, 1}, writer));
  const uint64_t count = writer.position();
  return BitString(writer.Finish(), count);
}

Result<int> PrintList(const Session& session) {
  Table table({{"code"}, {"parameter"}, {"what it is"}});
  for (const auto& family : bits::AllCodes()) {
    if (session.json) {
      PrintJson(session, {{"code", family.name},
                          {"parameter", family.parameter},
                          {"example", family.example},
                          {"summary", family.summary}});
    } else {
      table.Row({std::string(family.example), std::string(family.parameter), std::string(family.summary)});
    }
  }
  if (!session.json) session.out->Print("{}", table.ToString());
  return kDone;
}

Result<int> PrintTable(const Session& session, const std::string& name, uint64_t from, uint64_t to) {
  CRV_ASSIGN(const auto code, bits::FindCode(name));
  if (from > to) return Status::InvalidArgument(fmt::format("--from {} is beyond --to {}", from, to));
  if (to - from >= 1 << 20)
    return Status::InvalidArgument(
        "a table has at most 1048576 codewords: narrow the range from --from to --to");
  Table table({{"number", true}, {"codeword"}});
  Json words = Json::array();
  for (uint64_t x = from; x <= std::min(to, code->max()); x++) {
    CRV_ASSIGN(const std::string word, WordOf(*code, x));
    session.json ? words.push_back(word) : table.Row({std::to_string(x), word});
    if (x == to) break;  // to may be 2^64-1
  }
  if (session.json) {
    PrintJson(session, {{"code", code->name()}, {"words", words}});
  } else {
    session.out->Print("{}", table.ToString());
  }
  return kDone;
}

Result<int> PrintNumber(const Session& session, uint64_t number, std::vector<std::string> names) {
  if (names.empty()) {
    for (const auto& family : bits::AllCodes()) names.emplace_back(family.example);
  }
  Table table({{"code"}, {"bits", true}, {"probability", true}, {"codeword"}});
  for (const auto& name : names) {
    CRV_ASSIGN(const auto code, bits::FindCode(name));
    if (number > code->max()) continue;  // only in a code of the first k integers
    const uint64_t length = code->Length(number);
    std::string word;
    if (length <= kMaxShownBits) {
      CRV_ASSIGN(word, WordOf(*code, number));
    }
    if (session.json) {
      Json line = {{"code", code->name()},
                   {"number", number},
                   {"length", length},
                   {"probability", code->Probability(number)}};
      if (length <= kMaxShownBits) line["word"] = word;
      PrintJson(session, line);
    } else {
      table.Row(
          {code->name(), std::to_string(length),
           length > 1000 ? fmt::format("2^-{}", length) : fmt::format("{:.3g}", code->Probability(number)),
           length <= kMaxShownBits ? word : "(long)"});
    }
  }
  if (!session.json) session.out->Print("{}", table.ToString());
  return kDone;
}

Result<int> PrintFromLengths(const Session& session, const std::vector<unsigned>& lengths) {
  CRV_ASSIGN(const bits::KraftCode code, bits::KraftCode::FromLengths(lengths));
  Table table({{"number", true}, {"length", true}, {"codeword"}});
  Json words = Json::array();
  for (size_t i = 0; i < code.size(); i++) {
    const std::string word = code.word(i).ToString();
    words.push_back(word);
    table.Row({std::to_string(i), std::to_string(lengths[i]), word});
  }
  if (session.json) {
    PrintJson(session, {{"lengths", lengths},
                        {"words", words},
                        {"kraft_sum", code.sum().ToString()},
                        {"complete", code.complete()}});
  } else {
    session.out->Print("{}Kraft sum {}: {}\n", table.ToString(), code.sum().ToString(),
                       code.complete() ? "complete" : "not complete: codewords could be added");
  }
  return kDone;
}

Result<int> CheckWords(const Session& session, std::vector<std::string> words) {
  CRV_ASSIGN(const bits::WordSet code, bits::WordSet::Of(std::move(words)));
  if (session.json) {
    PrintJson(session, {{"instantaneous", code.instantaneous()},
                        {"complete", code.complete()},
                        {"kraft", code.sum().value()}});
    return kDone;
  }
  const auto shown = [](const std::string& word) { return word.empty() ? "the empty word" : word; };
  session.out->Print("instantaneous  {}\n", code.instantaneous() ? "yes: no word is a prefix of another"
                                                                 : fmt::format("no: {} is a prefix of {}",
                                                                               shown(code.prefix()->prefix),
                                                                               shown(code.prefix()->word)));
  session.out->Print("complete       {}\n", code.complete()
                                                ? "yes: every binary word is comparable with a codeword"
                                                : fmt::format("no: {} could be added", *code.missing()));
  session.out->Print("Kraft sum      {}\n", code.sum().ToString());
  if (const auto ambiguity = code.FindAmbiguity()) {
    session.out->Print("decoding       ambiguous: {} is {} or {}\n", ambiguity->text,
                       fmt::join(ambiguity->one, " "), fmt::join(ambiguity->other, " "));
  } else {
    session.out->Print("decoding       unique: each string can be read in one way at most\n");
  }
  return kDone;
}

// Mean lengths under uniform distributions with entropy 2, 4, 6 ...: a universal code stays close to the
// entropy.
Result<int> PrintUniversality(const Session& session, std::vector<std::string> names) {
  if (names.empty()) names = {"gamma", "delta", "zeta3", "golomb8", "unary"};
  std::vector<Column> columns = {{"entropy", true}};
  std::vector<std::unique_ptr<const bits::Code>> codes;
  for (const std::string& name : names) {
    CRV_ASSIGN(codes.emplace_back(), bits::FindCode(name));
    columns.push_back({codes.back()->name(), true});
  }
  Table table(std::move(columns));
  for (int log = 2; log <= 20; log += 2) {
    const std::vector<double> uniform = bits::UniformDistribution(size_t{1} << log);
    std::vector<std::string> row = {std::to_string(log)};
    for (const auto& code : codes) {
      if (code->max() < uniform.size() - 1) {
        row.emplace_back("");
        continue;
      }
      const double mean = bits::MeanLength(*code, uniform);
      row.push_back(fmt::format("{:.3f}", mean / log));
      if (session.json) PrintJson(session, {{"code", code->name()}, {"entropy", log}, {"mean_bits", mean}});
    }
    table.Row(std::move(row));
  }
  if (!session.json) session.out->Print("mean length of a word / entropy\n{}", table.ToString());
  return kDone;
}

struct InputOptions {
  std::string path;
  std::string format = "text";
  bool gaps = false;
  bool words = false;
};

Result<std::vector<uint64_t>> ReadNumbers(const InputOptions& input) {
  CRV_ASSIGN(const std::string bytes, ReadFile(input.path));
  Result<std::vector<uint64_t>> numbers =
      input.format == "text" ? lab::ParseIntegers(bytes)
                             : lab::ParseBinaryIntegers(bytes, input.format == "u32" ? 4 : 8);
  if (!numbers.ok()) return numbers.status().WithContext(input.path);
  if (numbers->empty())
    return Status::Corruption(fmt::format("{}: the file contains no integers", input.path));
  return numbers;
}

Result<lab::Integers> ReadInput(const InputOptions& input) {
  if (input.words) {
    CRV_ASSIGN(const std::string text, ReadFile(input.path));
    lab::Integers postings = lab::PostingsOf(text);
    if (postings.values.empty())
      return Status::Corruption(fmt::format("{}: the file contains no words", input.path));
    return postings;
  }
  CRV_ASSIGN(std::vector<uint64_t> numbers, ReadNumbers(input));
  if (!input.gaps) return lab::Integers{.values = std::move(numbers)};
  Result<lab::Integers> gaps = lab::GapsOf(std::move(numbers));
  if (!gaps.ok()) return gaps.status().WithContext(input.path);
  return gaps;
}

Result<int> PrintMeasurements(const Session& session, const InputOptions& input) {
  CRV_ASSIGN(const lab::Integers integers, ReadInput(input));
  const auto progress = MakeProgress(session);
  CRV_ASSIGN(const auto results, lab::MeasureCodes(integers, *progress));
  const double entropy = lab::EntropyOf(integers.values);
  if (session.json) {
    for (const auto& result : results) {
      Json line = {{"code", result.code}, {"bits_per_integer", result.bits_per_integer}};
      if (result.ns_per_integer) line["ns_per_integer"] = *result.ns_per_integer;
      if (!result.note.empty()) line["note"] = result.note;
      PrintJson(session, line);
    }
    PrintJson(session,
              {{"integers", integers.values.size()}, {"lists", integers.lists.size()}, {"entropy", entropy}});
    return kDone;
  }
  Table table({{"code"}, {"bits/integer", true}, {"ns/integer", true}, {""}});
  for (const auto& result : results) {
    table.Row({result.code, fmt::format("{:.3f}", result.bits_per_integer),
               result.ns_per_integer ? fmt::format("{:.2f}", *result.ns_per_integer) : "", result.note});
  }
  session.out->Print(
      "{} integers{}, empirical entropy {:.3f} bits\n{}", Grouped(integers.values.size()),
      integers.lists.empty() ? "" : fmt::format(" in {} increasing lists", Grouped(integers.lists.size())),
      entropy, table.ToString());
  return kDone;
}

Result<int> Pack(const Session& session, const InputOptions& input, const std::string& to) {
  CRV_ASSIGN(const std::vector<uint64_t> numbers, ReadNumbers(input));
  for (size_t i = 1; i < numbers.size(); i++) {
    if (numbers[i - 1] <= numbers[i]) continue;
    return Status::InvalidArgument(fmt::format("{}: not sorted: {} follows {} at position {}", input.path,
                                               numbers[i], numbers[i - 1], i + 1));
  }
  succinct::EliasFanoBuilder builder(numbers.size(), numbers.back());
  for (uint64_t number : numbers) builder.Add(number);
  ImageWriter image;
  CRV_TRY(builder.AppendTo(image));
  CRV_TRY(WriteImage(to, succinct::EliasFano::kFileKind, image.bytes()));
  const double bits = 8 * static_cast<double>(image.bytes().size()) / static_cast<double>(numbers.size());
  if (session.json) {
    PrintJson(session, {{"file", to}, {"integers", numbers.size()}, {"bits_per_integer", bits}});
  } else {
    session.out->Print("{}: {} integers, {:.2f} bits each\n", Printable(to), Grouped(numbers.size()), bits);
  }
  return kDone;
}

CLI::Option* AddFormat(CLI::App& command, InputOptions& input) {
  command.add_option("FILE", input.path, "File of integers")->required();
  return command.add_option("--format", input.format, "Format of the integers")
      ->check(CLI::IsMember({"text", "u32", "u64"}))
      ->capture_default_str();
}

void AddTable(CLI::App& codes, Session& session) {
  CLI::App* command = codes.add_subcommand("table", "Print the codewords of a code");
  struct Options {
    std::string name;
    uint64_t from = 0;
    uint64_t to = 15;
  };
  auto options = std::make_shared<Options>();
  command->add_option("CODE", options->name, "Code: gamma, zeta3, golomb7, ... (see 'codes list')")
      ->required();
  command->add_option("--from", options->from, "First number")->check(Natural())->capture_default_str();
  command->add_option("--to", options->to, "Last number")->check(Natural())->capture_default_str();
  command->footer(
      "Examples:\n"
      "  crivello codes table gamma --to 15\n"
      "  crivello --json codes table minimal-binary7");
  Runs(*command, session,
       [&session, options] { return PrintTable(session, options->name, options->from, options->to); });
}

void AddNumber(CLI::App& codes, Session& session) {
  CLI::App* command = codes.add_subcommand(
      "number", "Print the codeword of a number in each code, with its length and intended probability");
  struct Options {
    uint64_t number = 0;
    std::vector<std::string> names;
  };
  auto options = std::make_shared<Options>();
  command->add_option("NUMBER", options->number, "Number from 0 to 2^64-1")->required()->check(Natural());
  command->add_option("CODE", options->names, "Codes (default: one of each family)");
  command->footer(
      "Examples:\n"
      "  crivello codes number 1000\n"
      "  crivello codes number 42 golomb7 golomb8");
  Runs(*command, session,
       [&session, options] { return PrintNumber(session, options->number, options->names); });
}

void AddFromLengths(CLI::App& codes, Session& session) {
  CLI::App* command = codes.add_subcommand("from-lengths", "Build a code with given codeword lengths");
  auto lengths = std::make_shared<std::vector<unsigned>>();
  command->add_option("LENGTH", *lengths, "Lengths in bits of the codewords of 0, 1, ...")
      ->required()
      ->check(Natural());
  command->footer(
      "Uses the construction of Kraft and McMillan. Such a code exists if the sum of 2^-length is at most "
      "1.\n"
      "Examples:\n"
      "  crivello codes from-lengths 1 2 3 3");
  Runs(*command, session, [&session, lengths] { return PrintFromLengths(session, *lengths); });
}

void AddCheck(CLI::App& codes, Session& session) {
  CLI::App* command = codes.add_subcommand(
      "check", "Check a set of words: is it instantaneous, is it complete, its Kraft sum");
  auto words = std::make_shared<std::vector<std::string>>();
  command->add_option("WORD", *words, "Codewords of 0 and 1, at most 64 bits each")->required();
  command->footer(
      "A code is instantaneous if no word is a prefix of another, and complete if every binary word is "
      "comparable\n"
      "with a codeword: one is a prefix of the other. If the code is ambiguous, a shortest proof is shown.\n"
      "Examples:\n"
      "  crivello codes check 0 1\n"
      "  crivello codes check 0 01 1\n"
      "  crivello --json codes check 0 10 110 111");
  Runs(*command, session, [&session, words] { return CheckWords(session, *words); });
}

void AddUniversal(CLI::App& codes, Session& session) {
  CLI::App* command =
      codes.add_subcommand("universal", "Compare mean lengths with the entropy of uniform distributions");
  auto names = std::make_shared<std::vector<std::string>>();
  command->add_option("CODE", *names, "Codes (default: gamma, delta, zeta3, golomb8, unary)");
  command->footer(
      "A code is universal if its mean length stays below c H + d for every distribution that does not "
      "increase,\n"
      "and asymptotically optimal if c tends to 1. The table shows mean length / H for entropies H of 2 to "
      "20 bits.\n"
      "Examples:\n"
      "  crivello codes universal\n"
      "  crivello codes universal gamma delta zeta2 zeta4");
  Runs(*command, session, [&session, names] { return PrintUniversality(session, *names); });
}

void AddMeasure(CLI::App& codes, Session& session) {
  CLI::App* command = codes.add_subcommand("measure", "Measure every code on the integers of a file");
  auto input = std::make_shared<InputOptions>();
  CLI::Option* format = AddFormat(*command, *input);
  CLI::Option* gaps = command->add_flag("--gaps", input->gaps, "Encode the gaps of increasing integers");
  command->add_flag("--words", input->words, "Encode the gaps between the positions of each word of a text")
      ->excludes(format)
      ->excludes(gaps);
  command->footer(
      "Prints bits per integer, and CPU nanoseconds to decode an integer. Text files contain decimal "
      "integers\n"
      "separated by white space or commas; '#' starts a comment.\n"
      "Examples:\n"
      "  crivello codes measure numbers.txt\n"
      "  crivello codes measure --gaps --format u32 docids.bin\n"
      "  crivello --json codes measure --words README.md");
  Runs(*command, session, [&session, input] { return PrintMeasurements(session, *input); });
}

void AddPack(CLI::App& codes, Session& session) {
  CLI::App* command = codes.add_subcommand("pack", "Write a sorted list of integers as an Elias-Fano file");
  struct Options {
    InputOptions input;
    std::string to;
  };
  auto options = std::make_shared<Options>();
  AddFormat(*command, options->input);
  command->add_option("--to", options->to, "File to write")->required()->type_name("FILE");
  command->footer(
      "Examples:\n"
      "  crivello codes pack numbers.txt --to numbers.ef && crivello inspect numbers.ef");
  Runs(*command, session, [&session, options] { return Pack(session, options->input, options->to); });
}

}  // namespace

void AddCodesCommand(CLI::App& app, Session& session) {
  CLI::App* codes =
      app.add_subcommand("codes", "Explore instantaneous codes: codewords, and sizes of encoded integers");
  codes->require_subcommand(1);
  CLI::App* list = codes->add_subcommand("list", "Print the names of the codes");
  list->footer("Examples:\n  crivello codes list");
  Runs(*list, session, [&session] { return PrintList(session); });
  AddTable(*codes, session);
  AddNumber(*codes, session);
  AddFromLengths(*codes, session);
  AddCheck(*codes, session);
  AddUniversal(*codes, session);
  AddMeasure(*codes, session);
  AddPack(*codes, session);
}

}  // namespace crivello::cli
