// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/modes/quantisation_choice.h"

#include "core/codec/quantised_row.h"
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

/// Tolerances of a mode times the root mean square of its coefficients: by quarters of octaves,
/// which are the same whatever is allowed, so that what is within a smaller error is a choice for a
/// larger one, too.
class Sizes
{
public:
    explicit Sizes(const QuantisationCase &of)
        : m_unit(std::exp2(
            std::round(4 * std::log2(of.allowed / std::sqrt(static_cast<double>(of.values)))) / 4))
    {
    }
    static constexpr int count() { return last - first + 1; }
    double at(int i) const { return m_unit * std::exp2((first + i) / 4.0); }
    double unit() const { return m_unit; }

private:
    static constexpr int first = -48, last = 24;
    double m_unit;
};

/// modes x sizes: what each mode takes.
std::vector<double> bytesOf(const QuantisationCase &of, const Sizes &sizes,
                            const std::vector<double> &scales)
{
    std::vector<double> bytes;
    for (std::size_t m = 0; m < of.modes; ++m)
        for (int i = 0; i < Sizes::count(); ++i)
            bytes.push_back(of.magnitudes[m].bytes(sizes.at(i) / scales[m]));
    return bytes;
}

/// Of each mode the size with the least bytes + price * size^2.
std::vector<int> cheapest(const QuantisationCase &of, const Sizes &sizes,
                          const std::vector<double> &bytes, double price)
{
    std::vector<int> chosen;
    for (std::size_t m = 0; m < of.modes; ++m) {
        const double *ofMode = bytes.data() + m * static_cast<std::size_t>(Sizes::count());
        const auto cost = [&](int i) { return ofMode[i] + price * sizes.at(i) * sizes.at(i); };
        int best = 0;
        for (int i = 1; i < Sizes::count(); ++i)
            best = cost(i) < cost(best) ? i : best;
        chosen.push_back(best);
    }
    return chosen;
}

/// The square of the norm of what codes add to a row: evenly spread.
double squareByCodes(std::size_t values, double tolerance)
{
    return static_cast<double>(values) * tolerance * tolerance / 3;
}

/// Squares of the fields' errors by the modes that are left out, and by the bits of the others.
class ErrorSquares
{
public:
    explicit ErrorSquares(const QuantisationCase &of)
        : m_of(of)
    {
        for (std::size_t j = 0; j < of.errors.size(); ++j) {
            m_squares.push_back(of.errors[j] * of.errors[j]);
            for (std::size_t m = of.fewest; m < of.modes; ++m)
                m_squares[j] += square(j, m);
        }
    }

    void take(std::size_t m, double tolerance)
    {
        const double ofBits = squareByCodes(m_of.values, tolerance);
        const double before = m < m_of.fewest ? 0 : 1; // what it added while it was left out
        for (std::size_t j = 0; j < m_squares.size(); ++j)
            m_squares[j] += square(j, m) * (correction(j) * ofBits - before);
    }
    bool areAllowed() const
    {
        return std::ranges::all_of(
            m_squares, [&](double error) { return error <= m_of.allowed * m_of.allowed; });
    }

private:
    double square(std::size_t j, std::size_t m) const
    {
        const double coefficient = m_of.coefficients[j * m_of.modes + m];
        return coefficient * coefficient;
    }
    double correction(std::size_t j) const
    {
        return m_of.corrections.empty() ? 1 : m_of.corrections[j];
    }

    const QuantisationCase &m_of;
    std::vector<double> m_squares;
};

} // namespace

void BlockMagnitudes::add(std::span<const float> values)
{
    using codec::quantisedBlock;
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
    const float step = codec::quantisationStep(tolerance);
    double sum = 0;
    auto all = m_zeros;
    for (const auto &[bin, blocks] : m_blocks) {
        const auto width = codec::widthFor(std::exp2(bin / binsOfAnOctave), tolerance, step);
        all += blocks;
        if (width != codec::CodeWidth::none) // a byte says where it belongs
            sum += static_cast<double>(blocks) * static_cast<double>(1 + codec::codeBytes(width));
    }
    const auto groups = std::ceil(static_cast<double>(all) / codec::quantisedGroup);
    return sum + groups * sizeof(codec::WidthCounts);
}

QuantisationChoice chooseQuantisation(const QuantisationCase &of)
{
    const auto fields = of.errors.size();
    if (of.coefficients.size() != fields * of.modes || of.magnitudes.size() != of.modes
        || (!of.corrections.empty() && of.corrections.size() != fields))
        throw Error(std::to_string(of.coefficients.size()) + " coefficients do not fit "
                    + std::to_string(fields) + " fields and " + std::to_string(of.modes)
                    + " POD modes");
    QuantisationChoice best;
    if (fields == 0 || of.modes == 0)
        return best;
    const auto scales = sizesOf(of, fields);
    const Sizes sizes(of);
    const auto table = bytesOf(of, sizes, scales);
    const ErrorSquares none(of);
    // What the square of an error may cost in bytes: Lagrange's multiplier, tried by half octaves.
    constexpr int first = -40, last = 40;
    const double unit = static_cast<double>(of.values) / (sizes.unit() * sizes.unit());
    for (int i = first; i <= last; ++i) {
        const auto chosen = cheapest(of, sizes, table, unit * std::exp2(i / 2.0));
        auto errors = none;
        double bytes = 0;
        for (std::size_t m = 0; m < of.modes; ++m) {
            const double tolerance = sizes.at(chosen[m]) / scales[m];
            errors.take(m, tolerance);
            bytes += table[m * static_cast<std::size_t>(Sizes::count())
                           + static_cast<std::size_t>(chosen[m])];
            if (best.modes > 0 && bytes >= best.bytes)
                break; // more modes take more
            if (m + 1 < of.fewest || !errors.areAllowed())
                continue;
            best = {m + 1, {}, bytes};
            for (std::size_t k = 0; k <= m; ++k)
                best.tolerances.push_back(sizes.at(chosen[k]) / scales[k]);
            break;
        }
    }
    return best;
}

std::vector<double> squaresByCodes(const QuantisationCase &of, const QuantisationChoice &choice)
{
    std::vector<double> squares(of.errors.size(), 0.0);
    for (std::size_t j = 0; j < squares.size(); ++j)
        for (std::size_t m = 0; m < choice.modes; ++m) {
            const double coefficient = of.coefficients[j * of.modes + m];
            squares[j] +=
                coefficient * coefficient * squareByCodes(of.values, choice.tolerances[m]);
        }
    return squares;
}

} // namespace gridhelm::modes
