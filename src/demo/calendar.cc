// SPDX-License-Identifier: Apache-2.0
#include "demo/calendar.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstdint>

#include "base/civil_time.h"

namespace crivello::demo {
namespace {

constexpr int kLastYear = 9'999;
constexpr std::array<const char*, 12> kMonths = {"janvier",   "février", "mars",     "avril",
                                                 "mai",       "juin",    "juillet",  "août",
                                                 "septembre", "octobre", "novembre", "décembre"};
constexpr std::array<const char*, 7> kWeekdays = {
    "jeudi", "vendredi", "samedi", "dimanche", "lundi", "mardi", "mercredi"};  // 1970 began on a Thursday
constexpr std::array<const char*, 7> kProgramme = {
    "Permanence de la mairie annexe, de 16 à 18 heures.",
    "Répétition de la chorale, salle du port, 20 heures.",
    "Marché sur la place du Débarcadère, jusqu'à midi.",
    "Promenade en barque si le lac le permet.",
    "Jour de relâche.",
    "Lecture du conte aux enfants, à la bibliothèque.",
    "Tournoi d'échecs au café des Pêcheurs.",
};

struct Date {
  int year = 0;
  int month = 0;
  int day = 0;  // 0: the whole month
};

// A number without sign or leading zero, as written in the links here, so that a day has only one URL.
std::optional<int> TakeNumber(std::string_view& text, int greatest) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || text.front() == '0' || value < 1 || value > greatest) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return value;
}

std::string MonthPath(int year, int month) { return fmt::format("{}{}/{}", kCalendarPath, year, month); }

// Days since 1970.  REQUIRES: a valid day of the calendar.
int64_t Days(int year, int month, int day) {
  return *SecondsFromCivil({.year = year, .month = month, .day = day}) / kSecondsPerDay;
}

int DaysIn(int year, int month) {
  if (month == 12) return 31;
  return static_cast<int>(Days(year, month + 1, 1) - Days(year, month, 1));
}

size_t WeekdayOf(int year, int month, int day) {
  return static_cast<size_t>((Days(year, month, day) % 7 + 7) % 7);
}

std::optional<Date> ParsePath(std::string_view path) {
  if (!path.starts_with(kCalendarPath)) return std::nullopt;
  path.remove_prefix(kCalendarPath.size());
  const auto year = TakeNumber(path, kLastYear);
  if (!year || !path.starts_with('/')) return std::nullopt;
  path.remove_prefix(1);
  const auto month = TakeNumber(path, 12);
  if (!month) return std::nullopt;
  if (path.empty()) return Date{*year, *month, 0};
  if (!path.starts_with('/')) return std::nullopt;
  path.remove_prefix(1);
  const auto day = TakeNumber(path, DaysIn(*year, *month));
  if (!day || !path.empty()) return std::nullopt;
  return Date{*year, *month, *day};
}

std::string Frame(std::string_view title, std::string_view content) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"fr\">\n<head>\n<meta "
      "charset=\"utf-8\">\n<title>{0}</title>\n</head>\n<body>\n"
      "<nav><a href=\"/\">Le Courrier du Lac</a></nav>\n<main>\n<h1>{0}</h1>\n{1}</main>\n</body>\n</html>\n",
      title, content);
}

std::string DayPage(const Date& date) {
  const size_t weekday = WeekdayOf(date.year, date.month, date.day);
  const char* month = kMonths[static_cast<size_t>(date.month - 1)];
  return Frame(fmt::format("Agenda du {} {} {} {}", kWeekdays[weekday], date.day, month, date.year),
               fmt::format("<p>{}</p>\n<p><a href=\"{}\">Tout le mois</a></p>\n", kProgramme[weekday],
                           MonthPath(date.year, date.month)));
}

std::string MonthPage(const Date& date) {
  const std::string path = MonthPath(date.year, date.month);
  std::string content = "<ul>\n";
  for (int day = 1; day <= DaysIn(date.year, date.month); day++) {
    content += fmt::format("<li><a href=\"{}/{}\">{} {}</a></li>\n", path, day,
                           kWeekdays[WeekdayOf(date.year, date.month, day)], day);
  }
  content += "</ul>\n<p>";
  if (date.month > 1 || date.year > 1) {
    content +=
        fmt::format("<a href=\"{}\">mois précédent</a> ",
                    date.month > 1 ? MonthPath(date.year, date.month - 1) : MonthPath(date.year - 1, 12));
  }
  if (date.month < 12 || date.year < kLastYear) {
    content +=
        fmt::format("<a href=\"{}\">mois suivant</a>",
                    date.month < 12 ? MonthPath(date.year, date.month + 1) : MonthPath(date.year + 1, 1));
  }
  content += "</p>\n";
  return Frame(fmt::format("Agenda de {} {}", kMonths[static_cast<size_t>(date.month - 1)], date.year),
               content);
}

}  // namespace

std::optional<std::string> CalendarPage(std::string_view path) {
  const auto date = ParsePath(path);
  if (!date) return std::nullopt;
  return date->day == 0 ? MonthPage(*date) : DayPage(*date);
}

}  // namespace crivello::demo
