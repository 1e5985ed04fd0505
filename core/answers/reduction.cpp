// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/reduction.h"

#include "core/support/error.h"
#include "core/support/parse_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

namespace gridhelm::answers {

namespace {

constexpr std::array<std::pair<std::string_view, ReductionKind>, 8> reductions{
    {{"mean", ReductionKind::mean},
     {"value", ReductionKind::mean},
     {"integral", ReductionKind::integral},
     {"minimum", ReductionKind::minimum},
     {"maximum", ReductionKind::maximum},
     {"deviation", ReductionKind::deviation},
     {"percentile", ReductionKind::percentile},
     {"above", ReductionKind::shareAbove}}};

struct PlaceWord
{
    std::string_view word;
    PlaceKind kind;
    std::size_t numbers;
    std::string_view usage;
};
constexpr std::array<PlaceWord, 6> placeWords{
    {{"whole", PlaceKind::whole, 0, "whole"},
     {"point", PlaceKind::point, 3, "point x,y,z"},
     {"line", PlaceKind::line, 6, "line x,y,z,x,y,z"},
     {"box", PlaceKind::box, 6, "box x,y,z,x,y,z"},
     {"sphere", PlaceKind::sphere, 4, "sphere x,y,z,radius"},
     {"on", PlaceKind::numbered, 0, "on FIELD=NUMBER"}}};

/// "patch=3,4".
ResponsePlace numberedPlace(std::string_view text, std::string_view rest)
{
    const auto equals = rest.rfind('=');
    ResponsePlace place{PlaceKind::numbered, {}, {}};
    if (equals != std::string_view::npos)
        place.field = trimmed(rest.substr(0, equals));
    if (place.field.empty())
        throw Error(
            fmt::format("\"{}\" says no number: a study keeps no names of patches, so give a "
                        "field that numbers points or cells, as in \"on patch=3\"",
                        text));
    parseReals(rest.substr(equals + 1), fmt::format("the region \"{}\"", text), place.numbers);
    if (place.numbers.empty()
        || std::ranges::any_of(place.numbers, [](double n) { return n != std::round(n); }))
        throw Error(
            fmt::format("\"{}\" says no whole number: give the number of a patch or region, "
                        "as in \"on patch=3\", or several between commas",
                        text));
    return place;
}

/// The first word, and what follows it.
std::pair<std::string_view, std::string_view> split(std::string_view text)
{
    text = trimmed(text);
    const auto blank = text.find(' ');
    if (blank == std::string_view::npos)
        return {text, {}};
    return {text.substr(0, blank), trimmed(text.substr(blank))};
}

} // namespace

std::string reductionNames()
{
    return "value, mean, integral, minimum, maximum, deviation, \"percentile P\", \"above T\"";
}

std::string placeNames()
{
    std::string names;
    for (const auto &word : placeWords)
        names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", word.usage);
    return names;
}

ReductionWords splitReduction(std::string_view text)
{
    constexpr std::string_view ending = "in time";
    text = trimmed(text);
    const auto comma = text.find(',');
    if (comma == std::string_view::npos || !text.ends_with(ending)
        || text.size() - ending.size() <= comma)
        return {text, {}};
    auto inTime = text.substr(comma + 1);
    inTime.remove_suffix(ending.size());
    return {trimmed(text.substr(0, comma)), trimmed(inTime)};
}

Reduction parseReduction(std::string_view text)
{
    const auto [word, rest] = split(text);
    const auto *const found =
        std::ranges::find(reductions, word, [](const auto &one) { return one.first; });
    const bool hasNumber = found != reductions.end()
                           && (found->second == ReductionKind::percentile
                               || found->second == ReductionKind::shareAbove);
    if (found == reductions.end() || hasNumber == rest.empty())
        throw Error(fmt::format("\"{}\" is no way to get one number of many: choose from {}", text,
                                reductionNames()));
    Reduction reduction{found->second, 0};
    if (hasNumber)
        reduction.number = parseReal(rest, word);
    if (reduction.kind == ReductionKind::percentile
        && !(reduction.number >= 0 && reduction.number <= 100))
        throw Error(fmt::format("there is no percentile {}: give a number from 0 to 100", rest));
    return reduction;
}

ResponsePlace parsePlace(std::string_view text)
{
    auto [word, rest] = split(text);
    if (word.empty())
        word = "whole";
    const auto *const found = std::ranges::find(placeWords, word, &PlaceWord::word);
    if (found != placeWords.end() && found->kind == PlaceKind::numbered)
        return numberedPlace(text, rest);
    ResponsePlace place;
    if (found != placeWords.end()) {
        place.kind = found->kind;
        parseReals(rest, fmt::format("the region \"{}\"", text), place.numbers);
    }
    if (found == placeWords.end() || place.numbers.size() != found->numbers)
        throw Error(fmt::format("\"{}\" is no region: choose from {}", text, placeNames()));
    if (place.kind == PlaceKind::sphere && !(place.numbers[3] > 0))
        throw Error("a sphere has a radius above 0: give one");
    if (place.kind == PlaceKind::box)
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (place.numbers[axis] > place.numbers[axis + 3])
                std::swap(place.numbers[axis], place.numbers[axis + 3]);
    return place;
}

double reduce(Reduction reduction, std::span<const double> values, std::span<const double> weights)
{
    const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
    if (values.empty() || values.size() != weights.size() || !(all > 0))
        throw Error("there is nothing in this region: choose a larger one");
    const auto sumOf = [&](auto what) {
        double sum = 0;
        for (std::size_t i = 0; i < values.size(); ++i)
            sum += weights[i] * what(values[i]);
        return sum;
    };
    const auto mean = [&] { return sumOf([](double value) { return value; }) / all; };
    switch (reduction.kind) {
    case ReductionKind::mean:
        return mean();
    case ReductionKind::integral:
        return sumOf([](double value) { return value; });
    case ReductionKind::minimum:
        return *std::ranges::min_element(values);
    case ReductionKind::maximum:
        return *std::ranges::max_element(values);
    case ReductionKind::deviation: {
        const double middle = mean();
        return std::sqrt(sumOf([&](double value) { return (value - middle) * (value - middle); })
                         / all);
    }
    case ReductionKind::shareAbove:
        return sumOf([&](double value) { return value > reduction.number ? 1.0 : 0.0; }) / all;
    case ReductionKind::percentile:
        break;
    }
    // The smallest value that so much of the weight does not exceed.
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
    double below = 0;
    for (const auto i : order) {
        below += weights[i];
        if (below >= reduction.number / 100 * all * (1 - 1e-12))
            return values[i];
    }
    return values[order.back()];
}

} // namespace gridhelm::answers
