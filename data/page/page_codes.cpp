// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/page/page_codes.h"

#include "core/execution/parallel_for.h"
#include "core/modes/gram_matrix.h"
#include "data/answers/stoppable_model.h"
#include "data/evaluate/study_surrogate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace gridhelm::data {

namespace {

/// A place where the field is nearly 0 does not count its error by that, but by this share of its
/// usual norm.
constexpr double leastNorm = 1e-3;

class Coder
{
public:
    Coder(const PageRows &rows, const std::vector<std::vector<double>> &places,
          const CpuDevice &cpu)
        : m_rows(rows)
        , m_where(places)
        , m_coefficients(coefficientsAt(*rows.surrogate, places, cpu))
        , m_places(places.size())
        , m_cpu(cpu)
        , m_weights(rows.columns, 1.0)
        , m_gram(gramOf(rows.values))
        , m_norms(norms(m_coefficients, m_gram))
    {
        double squares = 0;
        for (const double norm : m_norms)
            squares += norm * norm;
        const double floor = std::max(
            leastNorm
                * std::sqrt(squares / static_cast<double>(std::max<std::size_t>(1, m_places))),
            std::numeric_limits<double>::min());
        for (double &norm : m_norms)
            norm = std::max(norm, floor);
        for (std::size_t m = 0; m < rows.rows; ++m) {
            float largest = 0;
            for (std::size_t i = 0; i < rows.columns; ++i)
                largest = std::max(largest, std::abs(rows.row(m)[i]));
            double sum = 0;
            for (std::size_t j = 0; j < m_places; ++j)
                sum += coefficient(j, m) * coefficient(j, m);
            m_means.push_back(std::sqrt(sum / static_cast<double>(m_places)));
            m_largest.push_back(static_cast<double>(largest));
            m_unit = std::max(m_unit, m_means.back() * m_largest.back());
        }
    }

    /// What a row that contributes all of the largest numbers would have as its step.
    double unit() const { return m_unit; }

    /// By codes.
    double relativeL2(double size) const
    {
        if (m_rows.rows == 0)
            return 0;
        auto lacking = m_rows.values;
        for (std::size_t m = 0; m < m_rows.rows; ++m) {
            const double step = this->step(m, size);
            float *row = lacking.data() + m * m_rows.columns;
            for (std::size_t i = 0; step > 0 && i < m_rows.columns; ++i)
                row[i] =
                    static_cast<float>(static_cast<double>(row[i]) - step * codeOf(m, i, step));
        }
        return largestShare(norms(m_coefficients, gramOf(lacking)));
    }

    /// By coefficients that are rounded so.
    double relativeL2(const Surrogate &rounded) const
    {
        auto differences = coefficientsAt(rounded, m_where, m_cpu);
        for (std::size_t i = 0; i < differences.size(); ++i)
            differences[i] -= m_coefficients[i];
        return largestShare(norms(differences, m_gram));
    }

    /// Rounds coefficients as far as that adds no more than this; false of those that it cannot.
    bool round(double allowed, PageCodes &codes) const
    {
        if (m_rows.rows == 0 || !modalOf(*m_rows.surrogate))
            return false;
        double largest = 0;
        for (const double value : m_coefficients)
            largest = std::max(largest, std::abs(value));
        // Halved from the largest on; 24 bits are what single precision has.
        double step = std::exp2(std::ceil(std::log2(std::max(largest, 1e-300))));
        for (int bits = 0; bits < 24; ++bits, step /= 2) {
            auto rounded = withRoundedCoefficients(*m_rows.surrogate, step);
            codes.rounding = relativeL2(*rounded);
            if (codes.rounding > allowed)
                continue;
            codes.surrogate = std::move(rounded);
            codes.coefficientStep = step;
            return true;
        }
        codes.rounding = 0;
        return false;
    }

    PageCodes codes(double size) const
    {
        PageCodes result;
        for (std::size_t m = 0; m < m_rows.rows; ++m) {
            const double step = this->step(m, size);
            if (step == 0)
                continue;
            result.rows.push_back(m);
            result.steps.push_back(step);
            auto &codes = result.codes.emplace_back(m_rows.columns);
            for (std::size_t i = 0; i < m_rows.columns; ++i)
                codes[i] = codeOf(m, i, step);
        }
        for (const auto i : result.rows)
            for (const auto j : result.rows)
                result.gram.push_back(
                    m_gram(i, j) / static_cast<double>(std::max<std::size_t>(1, m_rows.columns)));
        return result;
    }

private:
    double coefficient(std::size_t j, std::size_t m) const
    {
        return m_coefficients[j * m_rows.rows + m];
    }

    /// 0: the row is 0 everywhere by then.
    double step(std::size_t m, double size) const
    {
        constexpr double mostCode = 1e9; // of 32 bits
        if (m_means[m] * m_largest[m] <= size / 2)
            return 0;
        return std::max(size / m_means[m], m_largest[m] / mostCode);
    }

    std::int32_t codeOf(std::size_t m, std::size_t i, double step) const
    {
        return static_cast<std::int32_t>(std::lround(static_cast<double>(m_rows.row(m)[i]) / step));
    }

    modes::GramMatrix gramOf(const std::vector<float> &values) const
    {
        if (m_rows.rows == 0)
            return {};
        modes::SnapshotsInMemory rows({values.data(), m_rows.rows, m_rows.columns, m_rows.columns});
        constexpr double blockBytes = 64e6;
        return modes::gramMatrix(rows, {m_weights}, blockBytes, m_cpu, {});
    }

    double largestShare(const std::vector<double> &errors) const
    {
        double largest = 0;
        for (std::size_t j = 0; j < m_places; ++j)
            largest = std::max(largest, errors[j] / m_norms[j]);
        return largest;
    }

    /// Of sums of rows with these coefficients, at all places, by the rows' inner products.
    std::vector<double> norms(const std::vector<double> &coefficients,
                              const modes::GramMatrix &gram) const
    {
        std::vector<double> all(m_places);
        parallelFor(m_places, m_cpu, 4, [&](std::size_t j) {
            const double *here = coefficients.data() + j * m_rows.rows;
            double sum = 0;
            for (std::size_t k = 0; k < m_rows.rows; ++k) {
                double ofRow = 0.5 * here[k] * gram(k, k);
                for (std::size_t m = k + 1; m < m_rows.rows; ++m)
                    ofRow += here[m] * gram(k, m);
                sum += 2 * here[k] * ofRow;
            }
            all[j] = std::sqrt(std::max(0.0, sum));
        });
        return all;
    }

    const PageRows &m_rows;
    const std::vector<std::vector<double>> &m_where;
    std::vector<double> m_coefficients; ///< places x rows
    std::size_t m_places;
    CpuDevice m_cpu;
    std::vector<double> m_weights; ///< of values in inner products
    modes::GramMatrix m_gram;
    std::vector<double> m_norms;
    std::vector<double> m_means, m_largest; ///< of coefficients and of each row's numbers
    double m_unit = 0;
};

/// Fills what is measured, from all values at all places.
void measure(const PageRows &rows, const Field &field, const CodesMeasure &beside, PageCodes &codes)
{
    const auto &places = beside.places;
    const auto &cpu = beside.cpu;
    const auto exact = coefficientsAt(*rows.surrogate, places, cpu);
    const auto coded = coefficientsAt(*codes.surrogate, places, cpu);
    const auto components = static_cast<std::size_t>(field.components);
    const auto entities = rows.columns / components;
    constexpr std::size_t strip = 256;
    const auto strips = (entities + strip - 1) / strip;
    struct Found
    {
        double largest = 0;
        std::vector<std::array<double, 2>> ranges;
        std::vector<double> squares, errors; ///< of each place
    };
    std::vector<Found> found(strips);
    constexpr double none = std::numeric_limits<double>::infinity();
    parallelFor(strips, cpu, 1, [&](std::size_t s) {
        const auto begin = s * strip * components;
        const auto width = std::min(strip * components, rows.columns - begin);
        auto &here = found[s];
        here.ranges.assign(components + 1, {none, -none});
        here.squares.assign(places.size(), 0.0);
        here.errors.assign(places.size(), 0.0);
        std::vector<double> sums(width), truth(width);
        for (std::size_t j = 0; j < places.size(); ++j) {
            std::ranges::fill(sums, 0.0);
            std::ranges::fill(truth, 0.0);
            if (!rows.truth.empty())
                std::copy_n(rows.truth.data() + j * rows.columns + begin, width, truth.begin());
            for (std::size_t m = 0; rows.truth.empty() && m < rows.rows; ++m) {
                const double weight = exact[j * rows.rows + m];
                const float *row = rows.row(m) + begin;
                for (std::size_t i = 0; i < width; ++i)
                    truth[i] += weight * static_cast<double>(row[i]);
            }
            for (std::size_t k = 0; k < codes.rows.size(); ++k) {
                const double weight = coded[j * rows.rows + codes.rows[k]] * codes.steps[k];
                const auto *row = codes.codes[k].data() + begin;
                for (std::size_t i = 0; i < width; ++i)
                    sums[i] += weight * row[i];
            }
            for (std::size_t i = 0; i < width; i += components) {
                if (!beside.distance.empty()
                    && beside.distance[j * entities + (begin + i) / components] < 0)
                    continue;
                double squares = 0;
                for (std::size_t c = 0; c < components; ++c) {
                    const double value = field.offset + field.scale * truth[i + c];
                    auto &[low, high] = here.ranges[c];
                    low = std::min(low, value);
                    high = std::max(high, value);
                    squares += value * value;
                    const double difference = sums[i + c] - truth[i + c];
                    here.largest = std::max(here.largest, std::abs(difference));
                    here.errors[j] += difference * difference;
                    here.squares[j] += truth[i + c] * truth[i + c];
                }
                auto &[low, high] = here.ranges[components];
                low = std::min(low, std::sqrt(squares));
                high = std::max(high, std::sqrt(squares));
            }
        }
    });
    codes.ranges.assign(components + 1, {none, -none});
    codes.largest = codes.relativeL2 = 0;
    std::vector<double> squares(places.size()), errors(places.size());
    for (const auto &part : found) {
        codes.largest = std::max(codes.largest, part.largest);
        for (std::size_t c = 0; c <= components; ++c) {
            codes.ranges[c][0] = std::min(codes.ranges[c][0], part.ranges[c][0]);
            codes.ranges[c][1] = std::max(codes.ranges[c][1], part.ranges[c][1]);
        }
        for (std::size_t j = 0; j < places.size(); ++j) {
            squares[j] += part.squares[j];
            errors[j] += part.errors[j];
        }
    }
    for (auto &[low, high] : codes.ranges)
        if (low > high) // nowhere is a body
            low = high = 0;
    double all = 0;
    for (const double square : squares)
        all += square / static_cast<double>(places.size());
    for (std::size_t j = 0; j < places.size(); ++j)
        codes.relativeL2 = std::max(codes.relativeL2,
                                    std::sqrt(errors[j]
                                              / std::max({squares[j], leastNorm * leastNorm * all,
                                                          std::numeric_limits<double>::min()})));
}

} // namespace

PageCodes pageCodes(const PageRows &rows, const Field &field, double allowed,
                    const CodesMeasure &beside)
{
    const Coder coder(rows, beside.places, beside.cpu);
    // By quarters of octaves: the largest step within what is allowed, from the finest on.
    constexpr int finest = -25 * 4, coarsest = 4;
    const auto sizeOf = [&](int quarter) { return coder.unit() * std::exp2(quarter / 4.0); };
    const auto largestWithin = [&](double error) {
        int good = finest, bad = coarsest;
        while (bad - good > 1) {
            requireGoingOn(beside.stop);
            const int middle = (good + bad) / 2;
            (coder.relativeL2(sizeOf(middle)) <= error ? good : bad) = middle;
        }
        return good;
    };
    // Errors of both kinds are hardly correlated, so that squares add up; what comes of it is
    // measured.
    constexpr double partOfRounding = 0.5;
    const auto codesFor = [&](double error) {
        PageCodes rounded;
        const bool isRounded = coder.round(partOfRounding * error, rounded);
        const double ofCodes =
            isRounded ? std::sqrt(1 - partOfRounding * partOfRounding) * error : error;
        auto codes = coder.codes(sizeOf(largestWithin(ofCodes)));
        codes.surrogate = isRounded ? rounded.surrogate : rows.surrogate;
        codes.coefficientStep = rounded.coefficientStep;
        codes.rounding = rounded.rounding;
        requireGoingOn(beside.stop);
        measure(rows, field, beside, codes);
        return codes;
    };
    const double left = std::max(0.0, allowed - rows.lacking);
    auto codes = codesFor(left);
    constexpr double nearly = 0.95, less = 0.8, least = 0.1;
    if (codes.relativeL2 > 0 && codes.relativeL2 < nearly * allowed)
        if (auto coarser = codesFor(left * nearly * allowed / codes.relativeL2);
            coarser.relativeL2 <= allowed)
            return coarser;
    for (double aim = less; codes.relativeL2 > allowed && aim > least; aim *= less)
        codes = codesFor(aim * left);
    return codes;
}

std::vector<float> valuesAt(const PageRows &rows, const std::vector<std::vector<double>> &places,
                            const CpuDevice &cpu)
{
    if (!rows.truth.empty())
        return rows.truth;
    const auto coefficients = coefficientsAt(*rows.surrogate, places, cpu);
    std::vector<float> values(places.size() * rows.columns);
    parallelFor(places.size(), cpu, 1, [&](std::size_t j) {
        std::vector<double> sums(rows.columns);
        for (std::size_t m = 0; m < rows.rows; ++m)
            for (std::size_t i = 0; i < rows.columns; ++i)
                sums[i] += coefficients[j * rows.rows + m] * static_cast<double>(rows.row(m)[i]);
        std::ranges::copy(sums, values.begin() + static_cast<std::ptrdiff_t>(j * rows.columns));
    });
    return values;
}

} // namespace gridhelm::data
