// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/column_multiples.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace gridhelm::data {

namespace {

using Exponent = std::int16_t;
using Count = std::uint32_t;

constexpr std::size_t planes = sizeof(std::uint32_t);
constexpr int largestExponent = std::numeric_limits<float>::max_exponent;
constexpr int smallestExponent = -149; // of float32's smallest number

/// Of the largest power of 2 of which a number is a multiple; it is finite, and not 0.
int exponentOf(float value)
{
    constexpr unsigned digits = 23, leading = 1U << digits;
    const auto bits = std::bit_cast<std::uint32_t>(std::abs(value));
    const auto field = static_cast<int>(bits >> digits);
    const auto number = bits & (leading - 1);
    if (field == 0) // no leading digit
        return smallestExponent + std::countr_zero(number);
    return smallestExponent + field - 1 + std::countr_zero(number | leading);
}

/// visit(value number, column), column by column.
template <typename Visit>
void overColumns(std::size_t values, std::size_t columns, Visit visit)
{
    for (std::size_t column = 0; column < columns; ++column)
        for (auto i = column; i < values; i += columns)
            visit(i, column);
}

} // namespace

std::size_t mostMultipleBytes(std::size_t values)
{
    return sizeof(Count) + values * (sizeof(Exponent) + planes);
}

std::optional<std::vector<std::byte>> columnMultiples(std::span<const float> values,
                                                      std::size_t columns)
{
    columns = std::min(columns, values.size());
    if (columns == 0 || columns > std::numeric_limits<Count>::max())
        return std::nullopt;
    std::vector<Exponent> exponents(columns, std::numeric_limits<Exponent>::max());
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!std::isfinite(values[i]) || (values[i] == 0 && std::signbit(values[i])))
            return std::nullopt;
        auto &least = exponents[i % columns];
        if (values[i] != 0)
            least = std::min(least, static_cast<Exponent>(exponentOf(values[i])));
    }
    std::ranges::replace(exponents, std::numeric_limits<Exponent>::max(), Exponent{0});

    const auto head = sizeof(Count) + columns * sizeof(Exponent);
    std::vector<std::byte> bytes(head + values.size() * planes);
    const auto count = static_cast<Count>(columns);
    std::memcpy(bytes.data(), &count, sizeof count);
    std::memcpy(bytes.data() + sizeof count, exponents.data(), columns * sizeof(Exponent));
    std::vector<double> ofSteps(columns);
    std::ranges::transform(exponents, ofSteps.begin(),
                           [](int exponent) { return std::ldexp(1.0, -exponent); });
    auto *to = bytes.data() + head;
    bool fits = true;
    overColumns(values.size(), columns, [&](std::size_t i, std::size_t column) {
        const double multiple = double{values[i]} * ofSteps[column];
        fits = fits && std::abs(multiple) <= double{std::numeric_limits<std::int32_t>::max()};
        if (!fits)
            return;
        // Small numbers of either sign as small ones without.
        const auto number = static_cast<std::int64_t>(multiple);
        const auto folded = static_cast<std::uint32_t>(number < 0 ? -2 * number - 1 : 2 * number);
        for (std::size_t k = 0; k < planes; ++k)
            to[k * values.size()] = static_cast<std::byte>(folded >> (8 * k) & 0xff);
        ++to;
    });
    return fits ? std::optional(std::move(bytes)) : std::nullopt;
}

bool fromColumnMultiples(std::span<const std::byte> bytes, std::span<float> values)
{
    Count columns = 0;
    if (bytes.size() < sizeof columns)
        return false;
    std::memcpy(&columns, bytes.data(), sizeof columns);
    if (columns == 0 || columns > values.size()
        || bytes.size() != sizeof columns + columns * sizeof(Exponent) + values.size() * planes)
        return false;
    std::vector<Exponent> exponents(columns);
    std::memcpy(exponents.data(), bytes.data() + sizeof columns, columns * sizeof(Exponent));
    if (std::ranges::any_of(exponents, [](int exponent) {
            return exponent < smallestExponent || exponent > largestExponent;
        }))
        return false;
    std::vector<double> steps(columns);
    std::ranges::transform(exponents, steps.begin(),
                           [](int exponent) { return std::ldexp(1.0, exponent); });
    const auto *from = bytes.data() + sizeof columns + columns * sizeof(Exponent);
    bool isFinite = true;
    overColumns(values.size(), columns, [&](std::size_t i, std::size_t column) {
        std::uint32_t folded = 0;
        for (std::size_t k = 0; k < planes; ++k)
            folded |= std::to_integer<std::uint32_t>(from[k * values.size()]) << (8 * k);
        ++from;
        const auto half = static_cast<double>(folded >> 1);
        const double multiple = (folded & 1) != 0 ? -half - 1 : half;
        const double value = multiple * steps[column];
        isFinite = isFinite && std::abs(value) <= double{std::numeric_limits<float>::max()};
        values[i] = isFinite ? static_cast<float>(value) : 0;
    });
    return isFinite;
}

} // namespace gridhelm::data
