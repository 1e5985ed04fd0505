// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/sobol_maps.h"

#include "core/answers/estimate.h"
#include "core/answers/joint_inputs.h"
#include "core/answers/orthogonal_expansion.h"
#include "core/answers/sample_points.h"
#include "core/execution/parallel_for.h"
#include "core/support/error.h"
#include "core/support/memory_check.h"

#include <Eigen/Dense>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <span>

namespace gridhelm::answers {

namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

std::vector<double> entriesOf(const Matrix &matrix)
{
    return {matrix.data(), matrix.data() + matrix.size()};
}

/// sum of the squares of those terms that `counts` is true for.
std::vector<double> squaresOf(const OrthogonalExpansion &expansion,
                              const std::function<bool(std::span<const std::uint32_t>)> &counts)
{
    const auto r = static_cast<Eigen::Index>(expansion.columns);
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < expansion.terms(); ++i)
        if (counts(expansion.functionsOf(i)))
            chosen.push_back(i);
    Matrix terms(static_cast<Eigen::Index>(chosen.size()), r);
    for (std::size_t i = 0; i < chosen.size(); ++i)
        std::ranges::copy(expansion.coefficientsOf(chosen[i]),
                          terms.data() + i * expansion.columns);
    Matrix sum = Matrix::Zero(r, r);
    if (!chosen.empty())
        sum.noalias() = terms.transpose() * terms;
    return entriesOf(sum);
}

WeightCovariances exactCovariances(const OrthogonalExpansion &expansion)
{
    WeightCovariances result;
    result.rows = expansion.columns;
    result.isExact = true;
    result.mean.assign(expansion.columns, 0.0);
    const auto varying = [](std::span<const std::uint32_t> functions) {
        return std::ranges::count_if(functions, [](auto function) { return function != 0; });
    };
    for (std::size_t i = 0; i < expansion.terms(); ++i)
        if (varying(expansion.functionsOf(i)) == 0)
            for (std::size_t k = 0; k < expansion.columns; ++k)
                result.mean[k] += expansion.coefficientsOf(i)[k];
    result.all = squaresOf(expansion, [&](auto functions) { return varying(functions) > 0; });
    for (std::size_t t = 0; t < expansion.dimension; ++t) {
        result.first.push_back(squaresOf(expansion, [&](auto functions) {
            return functions[t] != 0 && varying(functions) == 1;
        }));
        result.total.push_back(
            squaresOf(expansion, [&](auto functions) { return functions[t] != 0; }));
    }
    return result;
}

/// The weights of all rows at a place.
void fillWeights(const Surrogate &surrogate, std::span<const double> x, double *out)
{
    const auto weights = surrogate.weights(x, surrogate.groups());
    for (std::size_t i = 0; i < weights.rows.size(); ++i)
        out[weights.rows[i]] += weights.weights[i];
}

/// Of samples a few at a time, so that memory is that of the covariances.
class SampledCovariances
{
public:
    SampledCovariances(const Surrogate &surrogate, const Inputs &inputs, const CpuDevice &cpu)
        : m_surrogate(surrogate)
        , m_inputs(inputs)
        , m_cpu(cpu)
        , m_rows(static_cast<Eigen::Index>(surrogate.rows()))
        , m_near(Eigen::RowVectorXd::Zero(m_rows))
        , m_sum(Eigen::RowVectorXd::Zero(m_rows))
        , m_squares(Matrix::Zero(m_rows, m_rows))
        , m_byOthers(inputs.distributions.size(), m_squares)
        , m_byThis(m_byOthers)
    {
    }

    /// `u`: of each sample the shares of all parameters at a place, and then at another one.
    void add(std::span<const double> u)
    {
        const auto d = m_inputs.distributions.size();
        const auto samples = u.size() / (2 * d);
        std::vector<double> a(samples * d), b(samples * d);
        for (std::size_t i = 0; i < samples; ++i)
            for (std::size_t t = 0; t < d; ++t) {
                a[i * d + t] = m_inputs.distributions[t].unitQuantile(u[i * 2 * d + t]);
                b[i * d + t] = m_inputs.distributions[t].unitQuantile(u[i * 2 * d + d + t]);
            }
        const Matrix atA = weightsAt(a, b, -1), atB = weightsAt(b, b, -1);
        // Squares of distances to what is near the mean lose no digits to it.
        if (m_samples == 0)
            m_near = (atA.colwise().mean() + atB.colwise().mean()) / 2;
        for (const auto *at : {&atA, &atB}) {
            const Matrix distance = at->rowwise() - m_near;
            m_sum += distance.colwise().sum();
            m_squares.noalias() += distance.transpose() * distance;
        }
        for (std::size_t t = 0; t < d; ++t) {
            const Matrix mixed = weightsAt(a, b, static_cast<int>(t));
            Matrix difference = mixed - atB;
            m_byOthers[t].noalias() += difference.transpose() * difference;
            difference = mixed - atA;
            m_byThis[t].noalias() += difference.transpose() * difference;
        }
        m_samples += samples;
    }

    WeightCovariances result() const
    {
        const double places = 2 * static_cast<double>(m_samples);
        WeightCovariances result;
        result.rows = static_cast<std::size_t>(m_rows);
        const Eigen::RowVectorXd offset = m_sum / places, mean = m_near + offset;
        result.mean.assign(mean.data(), mean.data() + mean.size());
        const Matrix all = (m_squares - places * offset.transpose() * offset) / (places - 1);
        result.all = entriesOf(all);
        for (std::size_t t = 0; t < m_byThis.size(); ++t) {
            const Matrix first = all - m_byOthers[t] / places;
            const Matrix total = m_byThis[t] / places;
            result.first.push_back(entriesOf(first));
            result.total.push_back(entriesOf(total));
        }
        return result;
    }

private:
    /// Places with coordinates of `a`, those of dimension t (none: -1) of `b`.
    Matrix weightsAt(const std::vector<double> &a, const std::vector<double> &b, int t) const
    {
        const auto d = m_inputs.distributions.size();
        const auto samples = a.size() / d;
        Matrix all = Matrix::Zero(static_cast<Eigen::Index>(samples), m_rows);
        parallelFor(samples, m_cpu, 16, [&](std::size_t i) {
            std::vector<double> x(a.begin() + static_cast<std::ptrdiff_t>(i * d),
                                  a.begin() + static_cast<std::ptrdiff_t>((i + 1) * d));
            if (t >= 0)
                x[static_cast<std::size_t>(t)] = b[i * d + static_cast<std::size_t>(t)];
            fillWeights(m_surrogate, x, all.data() + i * static_cast<std::size_t>(m_rows));
        });
        return all;
    }

    const Surrogate &m_surrogate;
    const Inputs &m_inputs;
    const CpuDevice &m_cpu;
    Eigen::Index m_rows;
    Eigen::RowVectorXd m_near, m_sum;
    Matrix m_squares;                         ///< of distances to m_near, at both places
    std::vector<Matrix> m_byOthers, m_byThis; ///< of what changes with them
    std::size_t m_samples = 0;
};

WeightCovariances sampledCovariances(const Surrogate &surrogate, const Inputs &inputs,
                                     std::size_t samples, std::uint64_t seed, const CpuDevice &cpu)
{
    constexpr std::size_t together = 2048;
    requireEnoughSamples(samples, "indices");
    const auto d = inputs.distributions.size();
    const auto rows = static_cast<double>(surrogate.rows());
    // Sums, results, and four matrices of the samples that are added at once.
    requireMemory(sizeof(double) * rows * (rows * 4 * (static_cast<double>(d) + 1) + 4 * together),
                  fmt::format("covariances of {} rows by {} parameters", surrogate.rows(), d),
                  "make fewer POD modes");
    const auto u = scrambledPoints(samples, 2 * inputs.dimension(), seed);
    SampledCovariances covariances(surrogate, inputs, cpu);
    for (std::size_t first = 0; first < samples; first += together)
        covariances.add(
            std::span(u).subspan(first * 2 * d, std::min(together, samples - first) * 2 * d));
    return covariances.result();
}

/// A symmetric matrix is nearly the sum of the squares of some rows, less those of others, which
/// the noise of samples may bring in.
struct Squares
{
    Matrix rows;
    std::size_t negative = 0; ///< so many of them are taken away, the first ones
};

Squares squaresOf(const std::vector<double> &covariance, std::size_t rows, double smallest)
{
    const auto r = static_cast<Eigen::Index>(rows);
    const Eigen::Map<const Matrix> matrix(covariance.data(), r, r);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix);
    std::vector<Eigen::Index> kept; // eigenvalues ascend
    Squares squares;
    for (Eigen::Index i = 0; i < r; ++i) {
        if (std::abs(solver.eigenvalues()[i]) <= smallest)
            continue;
        kept.push_back(i);
        squares.negative += solver.eigenvalues()[i] < 0 ? 1 : 0;
    }
    squares.rows.resize(static_cast<Eigen::Index>(kept.size()), r);
    for (std::size_t i = 0; i < kept.size(); ++i)
        squares.rows.row(static_cast<Eigen::Index>(i)) =
            std::sqrt(std::abs(solver.eigenvalues()[kept[i]]))
            * solver.eigenvectors().col(kept[i]).transpose();
    return squares;
}

double largestEigenvalue(const std::vector<double> &covariance, std::size_t rows)
{
    const auto r = static_cast<Eigen::Index>(rows);
    const Eigen::Map<const Matrix> matrix(covariance.data(), r, r);
    return std::max(0.0,
                    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(matrix, Eigen::EigenvaluesOnly)
                        .eigenvalues()
                        .maxCoeff());
}

/// The mean, then what all, each alone, and each in any company bring in.
SquareSums squareSumsOf(const WeightCovariances &covariances)
{
    const auto r = covariances.rows;
    const double smallest = 1e-9 * largestEigenvalue(covariances.all, r);
    SquareSums sums;
    sums.rows = r;
    sums.begins = {1};
    sums.weights.assign(covariances.mean.begin(), covariances.mean.end());
    const auto add = [&](const std::vector<double> &covariance) {
        const auto squares = squaresOf(covariance, r, smallest);
        sums.weights.insert(sums.weights.end(), squares.rows.data(),
                            squares.rows.data() + squares.rows.size());
        sums.begins.push_back(sums.begins.back() + static_cast<std::size_t>(squares.rows.rows()));
        sums.negative.push_back(squares.negative);
    };
    add(covariances.all);
    for (const auto *kind : {&covariances.first, &covariances.total})
        for (const auto &covariance : *kind)
            add(covariance);
    return sums;
}

} // namespace

WeightCovariances weightCovariances(const Surrogate &surrogate, const Inputs &inputs,
                                    std::size_t samples, std::uint64_t seed, const CpuDevice &cpu)
{
    const auto rows = surrogate.rows();
    if (rows > mostMapRows)
        throw Error(fmt::format("maps of {} rows would take too long (at most {}): make POD modes "
                                "of them with \"gridhelm-cli compress STUDY --modes\"",
                                rows, mostMapRows));
    requireIndependent(inputs);
    const auto r = static_cast<std::size_t>(rows);
    std::vector<double> identity(r * r, 0.0);
    for (std::size_t b = 0; b < r; ++b)
        identity[b * r + b] = 1;
    const auto grid = gridCoefficients(surrogate, identity, r);
    if (grid && canExpand(*grid->grid))
        return exactCovariances(expand(*grid, inputs));
    return sampledCovariances(surrogate, inputs, samples, seed, cpu);
}

SobolMaps sobolMaps(const WeightCovariances &covariances, linalg::MatrixView<const float> rows,
                    const CpuDevice &cpu)
{
    return sobolMaps(covariances, rows,
                     [&cpu](const SquareSums &sums, linalg::MatrixView<const float> matrix,
                            const SquareSumsOutput &out) {
                         sumSquares(sums, matrix, out, cpu);
                         return ComputedOn::cpu();
                     });
}

SobolMaps sobolMaps(const WeightCovariances &covariances, linalg::MatrixView<const float> rows,
                    const SquareSummer &summer)
{
    const auto d = covariances.first.size();
    const auto sums = squareSumsOf(covariances);
    SobolMaps maps;
    maps.mean.resize(rows.columns);
    maps.variance.resize(rows.columns);
    maps.first.assign(d, std::vector<float>(rows.columns));
    maps.total = maps.first;
    SquareSumsOutput out{maps.mean, {maps.variance}};
    out.sums.insert(out.sums.end(), maps.first.begin(), maps.first.end());
    out.sums.insert(out.sums.end(), maps.total.begin(), maps.total.end());
    maps.computedOn = summer(sums, rows, out);
    // Shares. What is less than round-off of the largest variance is none.
    const float largest = rows.columns == 0 ? 0 : *std::ranges::max_element(maps.variance);
    for (std::size_t s = 1; s < out.sums.size(); ++s)
        for (std::size_t n = 0; n < rows.columns; ++n) {
            auto &value = out.sums[s][n];
            value = maps.variance[n] > 1e-9F * largest ? value / maps.variance[n] : 0;
        }
    return maps;
}

} // namespace gridhelm::answers
