// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/input_distribution.h"

#include "core/parameters/unit_slope.h"
#include "core/support/error.h"
#include "core/support/parse_numbers.h"

#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/lognormal.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/triangular.hpp>
#include <boost/math/special_functions/legendre.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <utility>

namespace gridhelm::answers {

/// A distribution that is cut off at `low` and `high`, and stretched to be whole.
struct InputDistribution::Shape
{
    double low = 0, high = 0;
    bool isUniform = false;
    std::vector<double> samples{}; ///< ascending; nothing else counts then
    std::vector<double> kinks{};   ///< of the density, between low and high
    std::function<double(double)> density{}, share{}, inverse{}; ///< before it was cut off
    double shareLow = 0, shareHigh = 1;

    void cutOff()
    {
        shareLow = share(low);
        shareHigh = share(high);
    }
};

namespace {

constexpr const char *choices =
    "uniform, uniform(low,high), loguniform, loguniform(low,high), normal(mean,deviation), "
    "normal(mean,deviation,low,high), "
    "lognormal(mu,sigma), lognormal(mu,sigma,low,high), triangular(low,mode,high), beta(a,b), "
    "beta(a,b,low,high)";

/// What Boost cannot compute, it throws.
template <typename Compute>
auto computed(const Parameter &parameter, std::string_view text, Compute compute)
{
    try {
        return compute();
    } catch (const std::domain_error &) {  // what numbers its functions do not take
    } catch (const std::runtime_error &) { // overflow, or a series that does not end
    }
    throw Error(fmt::format("{} as {} is too extreme to be computed: take numbers nearer to those "
                            "of its range {} to {}",
                            parameter.name, text, parameter.low, parameter.high));
}

/// The most that may be cut off without anybody having said where.
constexpr double littleOutside = 0.01;

template <typename Family, typename Shape>
void takeFamily(Shape &shape, const Family &family, double lowest, double width)
{
    const auto within = [lowest, width](double value) {
        return std::clamp((value - lowest) / width, 0.0, 1.0);
    };
    shape.density = [=](double value) { return boost::math::pdf(family, within(value)) / width; };
    shape.share = [=](double value) { return boost::math::cdf(family, within(value)); };
    shape.inverse = [=](double u) { return lowest + width * boost::math::quantile(family, u); };
}

template <typename Family, typename Shape>
void takeUnbounded(Shape &shape, const Family &family)
{
    shape.density = [=](double value) { return boost::math::pdf(family, value); };
    shape.share = [=](double value) { return boost::math::cdf(family, value); };
    shape.inverse = [=](double u) { return boost::math::quantile(family, u); };
}

[[noreturn]] void refuse(std::string_view text, const Parameter &parameter, std::string_view why)
{
    throw Error(fmt::format("{} cannot be distributed as {}: {}; choose from {}", parameter.name,
                            text, why, choices));
}

void requireInRange(double low, double high, std::string_view text, const Parameter &parameter)
{
    const double slack = 1e-12 * std::max(std::abs(parameter.low), std::abs(parameter.high));
    if (low < parameter.low - slack || high > parameter.high + slack)
        throw Error(fmt::format("{} as {} leaves its range {} to {}, where nothing is known: take "
                                "ends inside of it",
                                parameter.name, text, parameter.low, parameter.high));
}

} // namespace

InputDistribution::InputDistribution(const Parameter &parameter, std::shared_ptr<const Shape> shape,
                                     std::string text)
    : m_parameter(parameter)
    , m_shape(std::move(shape))
    , m_text(std::move(text))
{
}

InputDistribution InputDistribution::uniform(const Parameter &parameter)
{
    auto shape = std::make_shared<Shape>();
    shape->low = parameter.low;
    shape->high = parameter.high;
    shape->isUniform = true;
    return {parameter, shape, "uniform"};
}

InputDistribution InputDistribution::ofSamples(std::vector<double> values,
                                               const Parameter &parameter)
{
    if (values.empty())
        throw Error(fmt::format("there are no samples of {}: give at least one", parameter.name));
    if (!std::ranges::all_of(values, [](double value) { return std::isfinite(value); }))
        throw Error(fmt::format("a sample of {} is no number: give finite ones", parameter.name));
    std::ranges::sort(values);
    const auto text = fmt::format("{} samples", values.size());
    requireInRange(values.front(), values.back(), text, parameter);
    auto shape = std::make_shared<Shape>();
    shape->low = std::max(parameter.low, values.front());
    shape->high = std::min(parameter.high, values.back());
    shape->samples = std::move(values);
    return {parameter, shape, text};
}

InputDistribution InputDistribution::parse(std::string_view typed, const Parameter &parameter)
{
    const auto text = trimmed(typed);
    const auto open = text.find('(');
    const auto name = trimmed(text.substr(0, open));
    std::vector<double> numbers;
    if (open != std::string_view::npos) {
        if (text.back() != ')')
            refuse(text, parameter, "its bracket is not closed");
        parseReals(text.substr(open + 1, text.size() - open - 2),
                   "the distribution of " + parameter.name, numbers);
    }
    auto shape = std::make_shared<Shape>();
    shape->low = parameter.low;
    shape->high = parameter.high;
    const auto count = numbers.size();
    const auto takeEnds = [&](std::size_t first) {
        if (count < first + 2)
            return;
        shape->low = numbers[first];
        shape->high = numbers[first + 1];
        if (!(shape->low < shape->high))
            refuse(text, parameter, "its lower end is not below its upper one");
        requireInRange(shape->low, shape->high, text, parameter);
    };
    if (name == "uniform" && (count == 0 || count == 2)) {
        takeEnds(0);
        shape->isUniform = true;
        return {parameter, shape, std::string(text)};
    }
    if (name == "loguniform" && (count == 0 || count == 2)) {
        takeEnds(0);
        if (!(shape->low > 0))
            refuse(text, parameter, "its lower end has to be above 0");
        const double low = shape->low, length = std::log(shape->high / shape->low);
        shape->density = [length](double value) { return 1 / (value * length); };
        shape->share = [low, length](double value) { return std::log(value / low) / length; };
        shape->inverse = [low, length](double u) { return low * std::exp(u * length); };
    } else if ((name == "normal" || name == "lognormal") && (count == 2 || count == 4)) {
        if (!(numbers[1] > 0))
            refuse(text, parameter, "its deviation has to be above 0");
        takeEnds(2);
        if (name == "normal") {
            takeUnbounded(*shape, boost::math::normal_distribution<double>(numbers[0], numbers[1]));
        } else {
            shape->low = std::max(shape->low, 0.0); // it has no values below
            if (!(shape->low < shape->high))
                refuse(text, parameter, "its values are above 0, and none of them is in reach");
            takeUnbounded(*shape,
                          boost::math::lognormal_distribution<double>(numbers[0], numbers[1]));
        }
    } else if (name == "triangular" && count == 3) {
        const double mode = numbers[1];
        numbers = {numbers[0], numbers[2]};
        shape->low = numbers[0];
        shape->high = numbers[1];
        if (!(shape->low < shape->high) || mode < shape->low || mode > shape->high)
            refuse(text, parameter, "its numbers have to ascend");
        requireInRange(shape->low, shape->high, text, parameter);
        shape->kinks = {mode};
        const double width = shape->high - shape->low;
        takeFamily(*shape,
                   boost::math::triangular_distribution<double>(0, (mode - shape->low) / width, 1),
                   shape->low, width);
    } else if (name == "beta" && (count == 2 || count == 4)) {
        if (!(numbers[0] >= 1) || !(numbers[1] >= 1))
            refuse(text, parameter, "a and b have to be at least 1");
        takeEnds(2);
        takeFamily(*shape, boost::math::beta_distribution<double>(numbers[0], numbers[1]),
                   shape->low, shape->high - shape->low);
    } else {
        refuse(text, parameter, "that is none, or its numbers are too many or too few");
    }
    computed(parameter, text, [&] { shape->cutOff(); });
    const double inside = shape->shareHigh - shape->shareLow;
    if (!(inside > 1e-12) || (count == 2 && inside < 1 - littleOutside))
        throw Error(fmt::format(
            "{} as {} has {:.3g} % of its values outside of {} to {}, where nothing is known: make "
            "it narrower, or cut it off with two more numbers, as in {}({},{},{},{})",
            parameter.name, text, 100 * (1 - inside), shape->low, shape->high, name, numbers[0],
            numbers[1], parameter.low, parameter.high));
    return {parameter, shape, std::string(text)};
}

bool InputDistribution::isUniform() const
{
    return m_shape->isUniform;
}

double InputDistribution::quantile(double u) const
{
    const auto &shape = *m_shape;
    if (!shape.samples.empty()) {
        const auto count = static_cast<double>(shape.samples.size());
        const auto index = std::clamp(std::floor(u * count), 0.0, count - 1);
        return shape.samples[static_cast<std::size_t>(index)];
    }
    if (u <= 0)
        return shape.low;
    if (u >= 1)
        return shape.high;
    if (shape.isUniform)
        return shape.low + u * (shape.high - shape.low);
    const double share = shape.shareLow + u * (shape.shareHigh - shape.shareLow);
    if (share <= 0)
        return shape.low;
    if (share >= 1)
        return shape.high;
    const double value = computed(m_parameter, m_text, [&] { return shape.inverse(share); });
    return std::clamp(value, shape.low, shape.high);
}

double InputDistribution::toUnit(double value) const
{
    const auto &p = m_parameter;
    const double x = p.scale == ParameterScale::logarithmic
                         ? std::log(value / p.low) / std::log(p.high / p.low)
                         : (value - p.low) / (p.high - p.low);
    return std::clamp(x, 0.0, 1.0);
}

double InputDistribution::fromUnit(double x) const
{
    return valueAtUnit(m_parameter, x);
}

Measure gaussLegendre(std::size_t count)
{
    if (count < 1 || count > 64)
        throw Error(fmt::format("{} nodes are not possible; take 1 to 64", count));
    Measure rule{std::vector<double>(count), std::vector<double>(count)};
    const auto degree = static_cast<int>(count);
    const auto zeros = boost::math::legendre_p_zeros<double>(degree); // those from 0 to 1
    for (std::size_t i = 0; i < zeros.size(); ++i) {
        const double z = zeros[zeros.size() - 1 - i];
        const double slope = boost::math::legendre_p_prime(degree, z);
        rule.nodes[i] = 0.5 * (1 - z);
        rule.nodes[count - 1 - i] = 0.5 * (1 + z);
        rule.weights[i] = rule.weights[count - 1 - i] = 1 / ((1 - z * z) * slope * slope);
    }
    return rule;
}

Measure InputDistribution::measure(std::size_t cells, std::size_t degree) const
{
    const auto &shape = *m_shape;
    Measure measure;
    if (!shape.samples.empty()) {
        const double weight = 1 / static_cast<double>(shape.samples.size());
        for (const double value : shape.samples) {
            measure.nodes.push_back(toUnit(value));
            measure.weights.push_back(weight);
        }
        return measure;
    }
    const double begin = toUnit(shape.low), end = toUnit(shape.high);
    // A density that is much narrower than a cell needs nodes of its own, and so do its tails.
    const bool isPlain = shape.isUniform && m_parameter.scale == ParameterScale::linear;
    if (isPlain && degree > 0)
        cells = 1;
    std::vector<double> ends{begin, end};
    for (const double kink : shape.kinks)
        ends.push_back(toUnit(kink));
    for (std::size_t i = 1; i < cells; ++i) {
        const double x = static_cast<double>(i) / static_cast<double>(cells);
        if (x > begin && x < end)
            ends.push_back(x);
    }
    std::ranges::sort(ends);
    if (!isPlain) {
        for (int i = 1; i < 64; ++i)
            ends.push_back(std::clamp(unitQuantile(i / 64.0), begin, end));
        for (const double tail : {3e-3, 5e-4, 5e-5, 3e-6, 1e-7, 2e-9, 2e-11, 1e-13})
            for (const double u : {tail, 1 - tail})
                ends.push_back(std::clamp(unitQuantile(u), begin, end));
    }
    std::ranges::sort(ends);
    const auto rule = gaussLegendre(!isPlain ? 8 : degree > 0 ? degree / 2 + 1 : 4);
    const bool isLogarithmic = m_parameter.scale == ParameterScale::logarithmic;
    double total = 0;
    for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
        const double width = ends[i + 1] - ends[i];
        for (std::size_t k = 0; width > 0 && k < rule.nodes.size(); ++k) {
            const double x = ends[i] + width * rule.nodes[k];
            const double value = fromUnit(x);
            // Of x, not of the value: times the derivative of the value, up to a constant.
            const double density =
                (shape.isUniform
                     ? 1
                     : computed(m_parameter, m_text, [&] { return shape.density(value); }))
                * (isLogarithmic ? value : 1.0);
            measure.nodes.push_back(x);
            measure.weights.push_back(width * rule.weights[k] * density);
            total += measure.weights.back();
        }
    }
    if (!std::isfinite(total) || !(total > 0))
        throw Error(fmt::format("{} as {} is too narrow to be told from a value: fix it there "
                                "instead, or make it wider",
                                m_parameter.name, m_text));
    for (auto &weight : measure.weights)
        weight /= total;
    return measure;
}

bool Inputs::areCorrelated() const
{
    const auto d = distributions.size();
    for (std::size_t i = 0; i < rankCorrelations.size(); ++i)
        if (i / d != i % d && rankCorrelations[i] != 0)
            return true;
    return false;
}

Inputs uniformInputs(const ParameterSpace &space)
{
    Inputs inputs;
    for (const auto &parameter : space.parameters())
        inputs.distributions.push_back(InputDistribution::uniform(parameter));
    return inputs;
}

} // namespace gridhelm::answers
