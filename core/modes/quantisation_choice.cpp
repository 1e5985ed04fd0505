// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/modes/quantisation_choice.h"

#include "core/sparse/quantised_row.h"
#include "core/support/error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace gridhelm::modes {

namespace {

constexpr double binsOfAnOctave = 8;

/// Root mean squares of each mode's coefficients; no less than a tiny part of the largest, so that
/// no tolerance is without bound.
std::vector<double> sizesOf(const QuantisationCase &of, std::size_t fields)
{
    std::vector<double> sizes(of.modes, 0.0);
    for (std::size_t j = 0; j < fields; ++j)
        for (std::size_t m = 0; m < of.modes; ++m)
            sizes[m] += of.coefficients[j * of.modes + m] * of.coefficients[j * of.modes + m];
    constexpr double tiny = 1e-12;
    const double least =
        std::max(tiny * *std::ranges::max_element(sizes), std::numeric_limits<double>::min());
    for (double &size : sizes)
        size = std::sqrt(std::max(size, least) / static_cast<double>(fields));
    return sizes;
}

/// What each field may still be off by, and how its error grows with the tolerances.
class Budget
{
public:
    Budget(const QuantisationCase &of, std::size_t fields, const std::vector<double> &sizes)
        : m_of(of)
        , m_sizes(sizes)
        , m_left(fields)
        , m_growth(fields, 0.0)
    {
        for (std::size_t j = 0; j < fields; ++j) {
            m_left[j] = of.allowed * of.allowed - of.errors[j] * of.errors[j];
            for (std::size_t m = 0; m < of.modes; ++m)
                m_left[j] -= square(j, m);
        }
    }

    void addMode(std::size_t m)
    {
        for (std::size_t j = 0; j < m_left.size(); ++j) {
            m_left[j] += square(j, m);
            m_growth[j] += square(j, m) / (m_sizes[m] * m_sizes[m]);
        }
    }

    /// The largest common tolerance of modes times their coefficients; below 0: there is none.
    double tolerance() const
    {
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t j = 0; j < m_left.size(); ++j) {
            if (!(m_left[j] >= 0))
                return -1;
            if (m_growth[j] > 0)
                least = std::min(least,
                                 3 * m_left[j] / (static_cast<double>(m_of.values) * m_growth[j]));
        }
        return std::isfinite(least) ? std::sqrt(least) : -1;
    }

private:
    double square(std::size_t j, std::size_t m) const
    {
        const double coefficient = m_of.coefficients[j * m_of.modes + m];
        return coefficient * coefficient;
    }

    const QuantisationCase &m_of;
    const std::vector<double> &m_sizes;
    std::vector<double> m_left, m_growth;
};

} // namespace

void BlockMagnitudes::add(std::span<const float> values)
{
    using sparse::quantisedBlock;
    for (std::size_t begin = 0; begin < values.size(); begin += quantisedBlock) {
        float largest = 0;
        for (const float value :
             values.subspan(begin, std::min(quantisedBlock, values.size() - begin)))
            largest = std::max(largest, std::abs(value));
        if (largest == 0)
            ++m_zeros;
        else
            ++m_blocks[static_cast<int>(
                std::ceil(binsOfAnOctave * std::log2(static_cast<double>(largest))))];
    }
}

double BlockMagnitudes::bytes(double tolerance) const
{
    const float step = sparse::quantisationStep(tolerance);
    double sum = static_cast<double>(m_zeros); // a byte says the width
    for (const auto &[bin, blocks] : m_blocks) {
        const auto width = sparse::widthFor(std::exp2(bin / binsOfAnOctave), tolerance, step);
        sum += static_cast<double>(blocks) * static_cast<double>(1 + sparse::codeBytes(width));
    }
    return sum;
}

QuantisationChoice chooseQuantisation(const QuantisationCase &of)
{
    const auto fields = of.errors.size();
    if (of.coefficients.size() != fields * of.modes || of.magnitudes.size() != of.modes)
        throw Error(std::to_string(of.coefficients.size()) + " coefficients do not fit "
                    + std::to_string(fields) + " fields and " + std::to_string(of.modes)
                    + " modes");
    QuantisationChoice best;
    if (fields == 0 || of.modes == 0)
        return best;
    const auto sizes = sizesOf(of, fields);
    Budget budget(of, fields, sizes);
    for (std::size_t modes = 1; modes <= of.modes; ++modes) {
        budget.addMode(modes - 1);
        const double tolerance = budget.tolerance();
        if (tolerance < 0 || modes < of.fewest)
            continue;
        double bytes = 0;
        for (std::size_t m = 0; m < modes; ++m)
            bytes += of.magnitudes[m].bytes(tolerance / sizes[m]);
        if (best.modes > 0 && bytes >= best.bytes)
            continue;
        best.modes = modes;
        best.bytes = bytes;
        best.tolerances.clear();
        for (std::size_t m = 0; m < modes; ++m)
            best.tolerances.push_back(tolerance / sizes[m]);
    }
    return best;
}

} // namespace gridhelm::modes
