// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/stored_values.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gridhelm::data {

namespace {

/// Beyond these, squares and differences of values come near the ends of single precision.
constexpr double small = 1e-25, large = 1e25;
/// An offset is worth it where the values are larger than their range by this factor: single
/// precision has 16 million steps up to a value, and leaves some 30,000 of them to the range.
constexpr double worthOffset = 500;

struct Ends
{
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    double largest = 0;   ///< magnitude
    bool isSingle = true; ///< single precision has all of the values
};

Ends endsOf(std::span<const double> values)
{
    Ends ends;
    for (const double value : values) {
        if (!std::isfinite(value))
            continue;
        ends.low = std::min(ends.low, value);
        ends.high = std::max(ends.high, value);
        ends.largest = std::max(ends.largest, std::abs(value));
        ends.isSingle = ends.isSingle && static_cast<double>(static_cast<float>(value)) == value;
    }
    return ends;
}

double powerOfTen(double value)
{
    return std::pow(10.0, value);
}

/// 1, or a power of ten near the largest magnitude.
double scaleFor(double largest)
{
    if (largest == 0 || (largest >= small && largest <= large))
        return 1;
    return std::clamp(powerOfTen(std::floor(std::log10(largest))), 1 / mostScale, mostScale);
}

/// A number with few digits near the middle of the values.
double offsetFor(const Ends &ends)
{
    const double range = ends.high - ends.low, middle = ends.low + range / 2;
    const double size = std::abs(middle);
    // Of a single value nobody knows yet what others will differ by: pressures and energies are
    // large, and need it; a title "drag - 0.31415" beside coefficients is a price without a gain.
    constexpr double largeValue = 1000;
    if (size > mostOffset || (range == 0 ? size < largeValue : size <= worthOffset * range))
        return 0;
    constexpr double shareOfSingle = 1e-9; // beyond what single precision can tell apart
    const double step =
        powerOfTen(std::ceil(std::log10(range == 0 ? shareOfSingle * size : range)));
    const double steps = std::round(middle / step);
    // A quotient of whole numbers has the digits that a person would write.
    return step < 1 ? steps / std::round(1 / step) : steps * step;
}

} // namespace

std::vector<float> storedValues(Field &field, std::span<const double> values)
{
    const auto ends = endsOf(values);
    field.offset = 0;
    field.scale = 1;
    // Of one value everywhere it says nothing that single precision has it: others will differ.
    if (!ends.isSingle || ends.low == ends.high) {
        field.scale = scaleFor(ends.largest);
        if (field.components == 1)
            field.offset = offsetFor(ends);
    }
    std::vector<float> numbers(values.size());
    std::ranges::transform(values, numbers.begin(),
                           [&](double value) { return field.stored(value); });
    return numbers;
}

void storeAs(const Field &to, const Field &from, std::span<float> numbers)
{
    if (to.offset == from.offset && to.scale == from.scale)
        return;
    const double shift = from.offset - to.offset;
    for (float &number : numbers)
        number = static_cast<float>((shift + from.scale * static_cast<double>(number)) / to.scale);
}

} // namespace gridhelm::data
