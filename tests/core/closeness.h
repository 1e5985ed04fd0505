// SPDX-License-Identifier: GPL-3.0-or-later
//
// How close two results must be that differ by the order of their operations only.
#pragma once

#include "core/sparse/reference/literal.h"
#include "tests/core/definition.h"
#include "tests/core/random_points.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace gridhelm::test {

template <typename T>
double largestMagnitude(const std::vector<T> &values)
{
    double largest = 0;
    for (T value : values)
        largest = std::max(largest, std::abs(static_cast<double>(value)));
    return largest;
}

template <typename T>
std::vector<T> magnitudes(const std::vector<T> &values)
{
    std::vector<T> result;
    for (T value : values)
        result.push_back(std::abs(value));
    return result;
}

/// Where and how much two results differ most. NaN differs more than anything.
struct Difference
{
    std::size_t where = 0;
    double amount = 0;
    std::string text;
};

template <typename A, typename B>
Difference largestDifference(const std::vector<A> &result, const std::vector<B> &expected)
{
    Difference worst;
    if (result.size() != expected.size()) {
        worst.amount = std::numeric_limits<double>::infinity();
        worst.text =
            std::to_string(result.size()) + " values instead of " + std::to_string(expected.size());
        return worst;
    }
    for (std::size_t j = 0; j < result.size(); ++j) {
        double amount = std::abs(static_cast<double>(result[j]) - static_cast<double>(expected[j]));
        if (std::isnan(amount))
            amount = std::numeric_limits<double>::infinity();
        if (amount > worst.amount) {
            worst.amount = amount;
            worst.where = j;
        }
    }
    if (!result.empty())
        worst.text = std::to_string(static_cast<double>(result[worst.where])) + " instead of "
                     + std::to_string(static_cast<double>(expected[worst.where])) + " at "
                     + std::to_string(worst.where) + " of " + std::to_string(result.size())
                     + ", difference ";
    return worst;
}

template <typename T>
constexpr double epsilon = static_cast<double>(std::numeric_limits<T>::epsilon());

/// A term of an interpolant is a product of d + 1 numbers, each rounded, and itself rounded d
/// times: 2 d + 1 errors of eps/2. Adding up the terms in another order rounds once a block, errors
/// that cancel at random rather than pile up. Times 4 for the largest of many thousand values.
/// `scale` is the sum of the terms' magnitudes.
template <typename T>
double interpolationTolerance(const sparse::SparseGrid &grid, double scale)
{
    // A polynomial takes more operations than a hat.
    if (!grid.hasHatsOnly())
        scale *= 8;
    return 4 * (grid.dimension() + 4) * epsilon<T> * scale;
}

/// The largest sum of magnitudes at `points`, and no less than the largest coefficient: a basis
/// function beside its zero has a large relative error.
template <typename T>
double interpolationScale(const sparse::SparseGrid &grid, const std::vector<T> &coefficients,
                          const std::vector<T> &points)
{
    const auto absolute = magnitudes(coefficients);
    double scale = largestMagnitude(coefficients);
    const auto view = viewOf(points, grid);
    if (!grid.hasHatsOnly()) { // functions may be negative
        for (std::size_t j = 0; j < view.count(); ++j)
            scale = std::max(
                scale, sumOfAllFunctions<T>(grid, coefficients, view.point(j)).value.magnitude);
        return scale;
    }
    for (std::size_t j = 0; j < view.count(); ++j) {
        const auto sum = sparse::reference::interpolate<T>(grid, absolute, view.point(j)).value;
        scale = std::max(scale, static_cast<double>(sum));
    }
    return scale;
}

/// Hierarchizing a dimension rounds each value 2 or 3 times, and multiplies earlier errors by at
/// most 3; the largest coefficient grows alike. `scale` is the largest of all coefficients and
/// values.
template <typename T>
double hierarchizationTolerance(const sparse::SparseGrid &grid, double scale)
{
    return 4 * (grid.dimension() + 1) * epsilon<T> * scale;
}

} // namespace gridhelm::test

/// Fails the test with the place and amount of the largest difference, and the words in `context`.
#define GRIDHELM_COMPARE_CLOSE(result, expected, tolerance, context)                               \
    do {                                                                                           \
        const auto difference_ = gridhelm::test::largestDifference(result, expected);              \
        const double tolerance_ = tolerance;                                                       \
        if (!(difference_.amount <= tolerance_))                                                   \
            QFAIL(qPrintable(QString::fromStdString(difference_.text)                              \
                             + QString::number(difference_.amount) + ", allowed "                  \
                             + QString::number(tolerance_) + "; "                                  \
                             + QString::fromStdString(context)));                                  \
    } while (false)
