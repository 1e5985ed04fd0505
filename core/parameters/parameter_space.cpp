// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parameters/parameter_space.h"

#include "core/support/clean_text.h"
#include "core/support/error.h"
#include "core/support/round_number.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace gridhelm {

namespace {

std::string shortest(double value)
{
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, value).ptr;
    return {text, end};
}

std::string_view trimmed(std::string_view text)
{
    const auto isSpace = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
    while (!text.empty() && isSpace(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isSpace(text.back()))
        text.remove_suffix(1);
    return text;
}

void requireSensible(const Parameter &parameter)
{
    if (!isName(parameter.name))
        throw Error("\"" + cleanLine(parameter.name)
                    + "\" is not a name for a parameter: use up to 100 letters, digits, blanks and "
                      "-_.()%+*^&, and begin with a letter");
    const auto range = shortest(parameter.low) + " to " + shortest(parameter.high);
    // Negated, so that NaN is refused too; a range that overflows has no middle.
    if (!(parameter.low < parameter.high) || !std::isfinite(parameter.high - parameter.low))
        throw Error("the range of parameter " + parameter.name + " is " + range
                    + ": give two finite numbers, the lower one first");
    if (parameter.scale == ParameterScale::logarithmic
        && (!(parameter.low > 0) || !std::isfinite(parameter.high / parameter.low)))
        throw Error("the range of parameter " + parameter.name + ", " + range
                    + ", cannot be logarithmic: begin above 0, or use a linear scale");
    if (parameter.levelCap && *parameter.levelCap < 1)
        throw Error("the level cap of parameter " + parameter.name + " is "
                    + std::to_string(*parameter.levelCap) + ": it must be at least 1");
    sparse::requireDegree(parameter.usedTreatment(), parameter.degree);
    if (!parameter.isDense)
        return;
    if (parameter.kind != ParameterKind::timeLike)
        throw Error(
            "parameter " + parameter.name
            + " has a value of its own in every run, so it cannot have all of its levels in "
              "each: only time-like parameters can");
    if (!parameter.levelCap)
        throw Error("parameter " + parameter.name
                    + " has all of its levels in every run: say by a level cap how many there are");
}

double toUnit(const Parameter &parameter, double value)
{
    if (value == parameter.low)
        return 0;
    if (value == parameter.high)
        return 1;
    if (parameter.scale == ParameterScale::logarithmic)
        return std::log(value / parameter.low) / std::log(parameter.high / parameter.low);
    return (value - parameter.low) / (parameter.high - parameter.low);
}

/// The value is handed to programs, written into tables and typed again: it has 15 digits at most,
/// unless the range is so narrow beside its ends that this would be another place.
double fromUnit(const Parameter &parameter, double x)
{
    if (x == 0)
        return parameter.low;
    if (x == 1)
        return parameter.high;
    const auto &[low, high] = std::tie(parameter.low, parameter.high);
    const bool isLogarithmic = parameter.scale == ParameterScale::logarithmic;
    double value = isLogarithmic ? low * std::pow(high / low, x) : low + (high - low) * x;
    const double magnitude =
        isLogarithmic ? value : std::max({std::abs(low), std::abs(high), std::abs(value)});
    const double spread = isLogarithmic ? value * std::log(high / low) : high - low;
    constexpr double samePlace = 1e-10;
    const double shortened = withoutRoundOff(value, magnitude);
    if (std::abs(shortened - value) <= samePlace * spread)
        value = shortened;
    return x > 0 && x < 1 ? std::clamp(value, low, high) : value;
}

} // namespace

bool isName(const std::string &text)
{
    constexpr std::size_t longest = 100;
    // Not std::isalpha, which a locale changes.
    const auto isLetter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & '\x80') != 0;
    };
    const auto mayFollow = [&](char c) {
        return isLetter(c)
               || std::string_view("0123456789-. ()%+*^&").find(c) != std::string_view::npos;
    };
    return !text.empty() && text.size() <= longest && isLetter(text.front()) && text.back() != ' '
           && std::ranges::all_of(text, mayFollow) && cleanLine(text) == text;
}

std::string_view toString(ParameterScale scale)
{
    return scale == ParameterScale::linear ? "linear" : "logarithmic";
}

ParameterScale parseParameterScale(std::string_view text)
{
    if (text == "linear")
        return ParameterScale::linear;
    if (text == "logarithmic" || text == "log")
        return ParameterScale::logarithmic;
    throw Error("unknown scale \"" + std::string(text) + "\": use linear or logarithmic");
}

std::string_view toString(ParameterKind kind)
{
    switch (kind) {
    case ParameterKind::ordinary:
        return "ordinary";
    case ParameterKind::timeLike:
        return "time-like";
    case ParameterKind::spatial:
        return "spatial";
    }
    return "unknown";
}

ParameterKind parseParameterKind(std::string_view text)
{
    for (auto kind : {ParameterKind::ordinary, ParameterKind::timeLike, ParameterKind::spatial}) {
        if (text == toString(kind))
            return kind;
    }
    throw Error("unknown kind of parameter \"" + std::string(text)
                + "\": use ordinary, time-like or spatial");
}

sparse::BoundaryTreatment defaultTreatment(ParameterKind kind)
{
    return kind == ParameterKind::ordinary ? sparse::BoundaryTreatment::modified
                                           : sparse::BoundaryTreatment::boundary;
}

std::uint64_t valuesOfCap(sparse::BoundaryTreatment treatment, int cap)
{
    const auto inside = (std::uint64_t{1} << cap) - 1;
    return sparse::hasEndPoints(treatment) ? inside + 2 : inside;
}

int capOfValues(sparse::BoundaryTreatment treatment, std::uint64_t values)
{
    int cap = 1;
    while (cap < sparse::maximumLevel && valuesOfCap(treatment, cap) < values)
        ++cap;
    if (valuesOfCap(treatment, cap) == values)
        return cap;
    const auto below = valuesOfCap(treatment, std::max(cap - 1, 1));
    const auto above = valuesOfCap(treatment, cap);
    throw Error(std::to_string(values) + " values are not possible: choose "
                + std::to_string(values > above || below == above ? above : below)
                + (values > above || below == above ? "" : " or " + std::to_string(above))
                + (sparse::hasEndPoints(treatment) ? " (2^k + 1)" : " (2^k - 1)"));
}

ParameterSpace::ParameterSpace(std::vector<Parameter> parameters)
    : m_parameters(std::move(parameters))
{
    if (m_parameters.empty() || m_parameters.size() > std::size_t{sparse::maximumDimension})
        throw Error(std::to_string(m_parameters.size())
                    + " parameters are not possible: there must be 1 to "
                    + std::to_string(sparse::maximumDimension));
    std::set<std::string_view> names;
    const Parameter *timeLike = nullptr;
    for (const auto &parameter : m_parameters) {
        requireSensible(parameter);
        if (!names.insert(parameter.name).second)
            throw Error("there are two parameters with the name " + parameter.name
                        + ": give each its own");
        if (parameter.kind != ParameterKind::timeLike)
            continue;
        if (timeLike)
            throw Error("both " + timeLike->name + " and " + parameter.name
                        + " are time-like: one parameter at most can be");
        timeLike = &parameter;
    }
}

std::size_t ParameterSpace::indexOf(std::string_view name) const
{
    std::string names;
    for (std::size_t t = 0; t < m_parameters.size(); ++t) {
        if (m_parameters[t].name == name)
            return t;
        names += (t == 0 ? "" : ", ") + m_parameters[t].name;
    }
    throw Error("there is no parameter \"" + std::string(name) + "\" here: choose from " + names);
}

std::optional<std::size_t> ParameterSpace::timeLike() const
{
    for (std::size_t t = 0; t < m_parameters.size(); ++t) {
        if (m_parameters[t].kind == ParameterKind::timeLike)
            return t;
    }
    return std::nullopt;
}

std::vector<std::size_t> ParameterSpace::spatial() const
{
    std::vector<std::size_t> dimensions;
    for (std::size_t t = 0; t < m_parameters.size(); ++t) {
        if (m_parameters[t].kind == ParameterKind::spatial)
            dimensions.push_back(t);
    }
    return dimensions;
}

sparse::DimensionSet ParameterSpace::dense() const
{
    sparse::DimensionSet dense = 0;
    for (std::size_t t = 0; t < m_parameters.size(); ++t)
        dense |= sparse::DimensionSet{m_parameters[t].isDense} << t;
    return dense;
}

sparse::GridShape ParameterSpace::shape(int level) const
{
    std::vector<int> caps;
    std::vector<sparse::BoundaryTreatment> treatments;
    for (const auto &parameter : m_parameters) {
        caps.push_back(parameter.levelCap.value_or(std::max(level, 1)));
        treatments.push_back(parameter.usedTreatment());
    }
    return {dimension(), level, caps, treatments, dense(), degrees()};
}

int ParameterSpace::highestLevel() const
{
    int highest = sparse::maximumLevel;
    for (const auto &parameter : m_parameters)
        highest = std::max(highest, sparse::highestLevelOf(parameter.usedTreatment()) + 1);
    return highest;
}

std::vector<int> ParameterSpace::degrees() const
{
    std::vector<int> degrees;
    for (const auto &parameter : m_parameters)
        degrees.push_back(parameter.degree);
    return degrees;
}

ParameterSpace ParameterSpace::withLevelCaps(std::span<const int> caps) const
{
    if (caps.size() != m_parameters.size())
        throw Error(std::to_string(caps.size()) + " level caps for "
                    + std::to_string(m_parameters.size()) + " parameters: give one for each");
    auto parameters = m_parameters;
    for (std::size_t t = 0; t < caps.size(); ++t)
        parameters[t].levelCap = caps[t];
    return ParameterSpace(std::move(parameters));
}

ParameterSpace ParameterSpace::withDegrees(std::span<const int> degrees) const
{
    std::vector<sparse::BoundaryTreatment> treatments;
    for (const auto &parameter : m_parameters)
        treatments.push_back(parameter.usedTreatment());
    const auto all = sparse::degreesFor(treatments, {degrees.begin(), degrees.end()});
    auto parameters = m_parameters;
    for (std::size_t t = 0; t < all.size(); ++t)
        parameters[t].degree = all[t];
    return ParameterSpace(std::move(parameters));
}

namespace {

void requireOneValueEach(const std::vector<Parameter> &parameters, std::size_t count)
{
    if (count != parameters.size())
        throw Error(std::to_string(count) + " values for " + std::to_string(parameters.size())
                    + " parameters: give one for each");
}

} // namespace

std::vector<double> ParameterSpace::toUnit(std::span<const double> values) const
{
    requireOneValueEach(m_parameters, values.size());
    std::vector<double> x;
    for (std::size_t t = 0; t < values.size(); ++t) {
        const auto &parameter = m_parameters[t];
        const bool isLogarithmic = parameter.scale == ParameterScale::logarithmic;
        if (!std::isfinite(values[t]) || (isLogarithmic && values[t] <= 0))
            throw Error("parameter " + parameter.name + " cannot be " + shortest(values[t])
                        + ": give a finite number" + (isLogarithmic ? " above 0" : ""));
        x.push_back(gridhelm::toUnit(parameter, values[t]));
    }
    return x;
}

std::vector<double> ParameterSpace::fromUnit(std::span<const double> x) const
{
    requireOneValueEach(m_parameters, x.size());
    std::vector<double> values;
    for (std::size_t t = 0; t < x.size(); ++t)
        values.push_back(gridhelm::fromUnit(m_parameters[t], x[t]));
    return values;
}

std::vector<double> ParameterSpace::valuesAt(const sparse::SparseGrid &grid,
                                             std::uint64_t point) const
{
    std::vector<double> x(m_parameters.size());
    grid.coordinates(point, x);
    return fromUnit(x);
}

std::optional<std::size_t> ParameterSpace::firstOutside(std::span<const double> values) const
{
    requireOneValueEach(m_parameters, values.size());
    for (std::size_t t = 0; t < values.size(); ++t) {
        const auto &parameter = m_parameters[t];
        const double slack = 1e-12 * std::max(std::abs(parameter.low), std::abs(parameter.high));
        if (!(values[t] >= parameter.low - slack && values[t] <= parameter.high + slack))
            return t;
    }
    return std::nullopt;
}

void ParameterSpace::requireInside(std::span<const double> values) const
{
    const auto outside = firstOutside(values);
    if (!outside)
        return;
    const auto &parameter = m_parameters[*outside];
    throw Error("parameter " + parameter.name + " = " + shortest(values[*outside])
                + " is outside its range, " + shortest(parameter.low) + " to "
                + shortest(parameter.high) + ": choose a value inside, or ask for extrapolation");
}

std::vector<double> ParameterSpace::parse(std::string_view text,
                                          std::span<const double> others) const
{
    if (!others.empty())
        requireOneValueEach(m_parameters, others.size());
    std::vector<double> values(others.begin(), others.end());
    values.resize(m_parameters.size());
    std::vector<bool> isGiven(m_parameters.size(), false);
    while (!trimmed(text).empty()) {
        const auto comma = text.find(',');
        const auto assignment = text.substr(0, comma);
        text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
        const auto equals = assignment.find('=');
        if (equals == std::string_view::npos)
            throw Error("\"" + std::string(trimmed(assignment))
                        + "\" says no value: write name=value, separated by commas");
        const auto t = indexOf(trimmed(assignment.substr(0, equals)));
        auto number = trimmed(assignment.substr(equals + 1));
        if (isGiven[t])
            throw Error("parameter " + m_parameters[t].name + " is given twice: give it once");
        isGiven[t] = true;
        const auto written = number;
        if (number.starts_with('+'))
            number.remove_prefix(1);
        const auto end = number.data() + number.size();
        const auto result = std::from_chars(number.data(), end, values[t]);
        if (result.ec != std::errc{} || result.ptr != end || !std::isfinite(values[t]))
            throw Error("parameter " + m_parameters[t].name + " cannot be \"" + std::string(written)
                        + "\": give a finite number");
    }
    for (std::size_t t = 0; t < isGiven.size() && others.empty(); ++t) {
        if (!isGiven[t])
            throw Error("parameter " + m_parameters[t].name + " has no value: add "
                        + m_parameters[t].name + "=VALUE");
    }
    return values;
}

std::string ParameterSpace::toText(std::span<const double> values) const
{
    requireOneValueEach(m_parameters, values.size());
    std::string text;
    for (std::size_t t = 0; t < values.size(); ++t)
        text += (t == 0 ? "" : ",") + m_parameters[t].name + "=" + shortest(values[t]);
    return text;
}

std::vector<PointGroup> groupIntoRuns(const ParameterSpace &space, const sparse::SparseGrid &grid,
                                      std::span<const std::uint64_t> points)
{
    std::vector<std::size_t> ordinary;
    for (std::size_t t = 0; t < space.parameters().size(); ++t) {
        if (space[t].kind == ParameterKind::ordinary)
            ordinary.push_back(t);
    }
    std::vector<PointGroup> groups;
    std::map<std::vector<double>, std::size_t> groupOf; // coordinates are exact in binary
    std::vector<double> x(space.parameters().size()), key(ordinary.size());
    for (auto point : points) {
        grid.coordinates(point, x);
        for (std::size_t i = 0; i < ordinary.size(); ++i)
            key[i] = x[ordinary[i]];
        const auto [found, isNew] = groupOf.try_emplace(key, groups.size());
        if (isNew)
            groups.emplace_back();
        groups[found->second].points.push_back(point);
    }
    return groups;
}

} // namespace gridhelm
