// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/modes/modes.h"

#include "core/execution/parallel_for.h"
#include "core/modes/block_pass.h"
#include "core/modes/gram_matrix.h"
#include "core/support/error.h"

#include <Eigen/Eigenvalues>

#include <array>
#include <cmath>
#include <string>

namespace gridhelm::modes {

namespace {

/// Share of the work that the Gram matrix is, for progress.
constexpr double gramShare = 0.7;

void requireSound(const ModesOptions &options)
{
    if (!(options.cut >= smallestCut && options.cut < 1))
        throw Error("a share of " + std::to_string(options.cut)
                    + " of the energy cannot be cut: choose one from 1e-12, below which it cannot "
                      "be told from round-off, to less than 1");
}

/// Eigenvectors of the Gram matrix, the largest eigenvalue first, with their signs settled.
struct RightVectors
{
    Eigen::MatrixXd vectors; ///< in columns
    std::vector<double> singularValues;
    double cutEnergy = 0;
};

/// How many are kept: the fewest that leave no more than the share, and none that is 0.
std::size_t countToKeep(const Eigen::VectorXd &eigenvalues, double energy,
                        const ModesOptions &options, double &cutEnergy)
{
    const auto size = static_cast<std::size_t>(eigenvalues.size());
    std::size_t keep = size;
    double left = 0;
    cutEnergy = 0;
    // Ascending, as Eigen has them: those that are cut come first.
    for (std::size_t k = 0; k < size; ++k) {
        const double value = std::max(eigenvalues[static_cast<Eigen::Index>(k)], 0.0);
        const bool isBeyond = size - k > options.maxModes;
        if (!isBeyond && left + value > options.cut * energy)
            break;
        left += value;
        --keep;
        cutEnergy = energy > 0 ? left / energy : 0;
    }
    return keep;
}

/// The first of the largest magnitudes is positive.
void settleSign(Eigen::MatrixXd::ColXpr vector)
{
    Eigen::Index largest = 0;
    for (Eigen::Index i = 1; i < vector.size(); ++i)
        if (std::abs(vector[i]) > std::abs(vector[largest]))
            largest = i;
    if (vector[largest] < 0)
        vector = -vector;
}

RightVectors rightVectors(const GramMatrix &gram, double energy, const ModesOptions &options)
{
    RightVectors result;
    if (!(energy > 0))
        return result;
    const auto size = static_cast<Eigen::Index>(gram.size);
    Eigen::MatrixXd matrix(size, size);
    for (Eigen::Index i = 0; i < size; ++i)
        for (Eigen::Index j = 0; j < size; ++j)
            matrix(i, j) = gram(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix);
    if (solver.info() != Eigen::Success)
        throw Error("the POD modes of " + std::to_string(gram.size)
                    + " snapshots could not be found (the eigenvalues do not converge): leave out "
                      "snapshots of extreme values");
    const auto keep = static_cast<Eigen::Index>(
        countToKeep(solver.eigenvalues(), energy, options, result.cutEnergy));
    result.vectors = solver.eigenvectors().rightCols(keep).rowwise().reverse();
    for (Eigen::Index m = 0; m < keep; ++m) {
        settleSign(result.vectors.col(m));
        result.singularValues.push_back(std::sqrt(solver.eigenvalues()[size - 1 - m]));
    }
    return result;
}

/// The second pass: Phi = X V / sigma, and what it lacks of X.
class ModesPass
{
public:
    ModesPass(Modes &modes, const Eigen::MatrixXd &vectors, const NodeWeights &weights,
              const CpuDevice &cpu)
        : m_modes(modes)
        , m_weights(weights)
        , m_cpu(cpu)
        , m_modePanels(panelsFor(modes.count()))
        , m_snapshotPanels(panelsFor(modes.snapshots))
        , m_toModes(m_modePanels * modes.snapshots * panelWidth, 0.0)
        , m_toSnapshots(m_snapshotPanels * modes.count() * panelWidth, 0.0)
        , m_squares(modes.snapshots, 0.0)
    {
        for (std::size_t m = 0; m < modes.count(); ++m) {
            for (std::size_t j = 0; j < modes.snapshots; ++j) {
                const double entry =
                    vectors(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(m));
                m_toModes[(m / panelWidth * modes.snapshots + j) * panelWidth + m % panelWidth] =
                    entry / modes.singularValues[m];
                m_toSnapshots[(j / panelWidth * modes.count() + m) * panelWidth + j % panelWidth] =
                    modes.coefficients[j * modes.count() + m];
            }
        }
    }

    void run(std::size_t first, MatrixView<const float> block, const WriteModes &write)
    {
        const auto strips = stripsOf(block.columns);
        m_block.resize(m_modes.count() * block.columns);
        m_squaresOfStrips.assign(strips * m_modes.snapshots, 0.0);
        m_largestOfStrips.assign(strips, m_largest);
        parallelFor(strips, m_cpu, 1, [&](std::size_t strip) {
            const auto [begin, end] = stripOf(block.columns, strip);
            double *squares = m_squaresOfStrips.data() + strip * m_modes.snapshots;
            for (auto column = begin; column < end; column += panelWidth)
                panel(first, block, column, std::min(column + panelWidth, end), squares,
                      m_largestOfStrips[strip]);
        });
        for (std::size_t strip = 0; strip < strips; ++strip)
            for (std::size_t j = 0; j < m_modes.snapshots; ++j)
                m_squares[j] += m_squaresOfStrips[strip * m_modes.snapshots + j];
        for (const double largest : m_largestOfStrips)
            m_largest = std::max(m_largest, largest);
        if (m_modes.count() > 0)
            write(first, {m_block.data(), m_modes.count(), block.columns, block.columns});
    }

    /// Of what is left over of each snapshot.
    const std::vector<double> &squares() const { return m_squares; }
    /// Of single values.
    double largest() const { return m_largest; }

private:
    /// Some columns of one panel.
    void panel(std::size_t first, MatrixView<const float> block, std::size_t begin, std::size_t end,
               double *squares, double &largest)
    {
        constexpr auto tileSize = panelWidth * panelWidth;
        static thread_local std::vector<double> snapshots, modes;
        snapshots.resize(m_modes.snapshots * panelWidth);
        modes.resize(m_modePanels * tileSize);
        packRows(block, begin, end, snapshots.data());
        std::ranges::fill(modes, 0.0);
        for (std::size_t p = 0; p < m_modePanels; ++p)
            multiplyPanels(m_toModes.data() + p * m_modes.snapshots * panelWidth, snapshots.data(),
                           m_modes.snapshots, modes.data() + p * tileSize, panelWidth);
        for (std::size_t m = 0; m < m_modes.count(); ++m) {
            for (std::size_t j = begin; j < end; ++j) {
                double &value = modes[m * panelWidth + j - begin];
                const auto stored = static_cast<float>(value);
                m_block[m * block.columns + j] = stored;
                value = static_cast<double>(stored);
            }
        }
        std::array<double, tileSize> rebuilt;
        for (std::size_t p = 0; p < m_snapshotPanels; ++p) {
            rebuilt.fill(0.0);
            multiplyPanels(m_toSnapshots.data() + p * m_modes.count() * panelWidth, modes.data(),
                           m_modes.count(), rebuilt.data(), panelWidth);
            const auto rows = std::min(panelWidth, m_modes.snapshots - p * panelWidth);
            for (std::size_t i = 0; i < rows; ++i) {
                const double *exact = snapshots.data() + (p * panelWidth + i) * panelWidth;
                for (std::size_t j = begin; j < end; ++j) {
                    const double left = exact[j - begin] - rebuilt[i * panelWidth + j - begin];
                    squares[p * panelWidth + i] += m_weights.of(first + j) * left * left;
                    largest = std::max(largest, std::abs(left));
                }
            }
        }
    }

    Modes &m_modes;
    const NodeWeights &m_weights;
    CpuDevice m_cpu;
    std::size_t m_modePanels, m_snapshotPanels;
    /// Panels of modes, and of snapshots; as deep as there are of the others.
    std::vector<double> m_toModes, m_toSnapshots;
    std::vector<float> m_block;
    std::vector<double> m_squaresOfStrips, m_largestOfStrips;
    std::vector<double> m_squares;
    double m_largest = 0;
};

void setErrors(Modes &modes, const std::vector<double> &squares, double largest)
{
    const double mean = modes.energy / static_cast<double>(modes.snapshots);
    double sum = 0;
    for (const double square : squares) {
        sum += square;
        modes.errors.push_back(mean > 0 ? std::sqrt(square / mean) : 0);
        modes.largestError = std::max(modes.largestError, modes.errors.back());
    }
    modes.meanError = modes.energy > 0 ? std::sqrt(sum / modes.energy) : 0;
    const double meanOfValues = mean / static_cast<double>(modes.values);
    modes.largestDifference = mean > 0 ? largest / std::sqrt(meanOfValues) : 0;
}

} // namespace

Modes computeModes(SnapshotBlocks &snapshots, const NodeWeights &weights,
                   const ModesOptions &options, const WriteModes &write)
{
    requireSound(options);
    Modes modes;
    modes.snapshots = snapshots.snapshots();
    modes.values = snapshots.values();
    if (modes.snapshots == 0 || modes.values == 0)
        throw Error("there are no snapshots to make POD modes of: run the study's jobs first");
    const auto progress = [&](double share) {
        return !options.progress || options.progress(share);
    };
    Eigen::MatrixXd vectors;
    {
        const auto gram = gramMatrix(snapshots, weights, options.blockBytes, options.cpu,
                                     [&](double share) { return progress(gramShare * share); });
        modes.cancelled = gram.cancelled;
        if (modes.cancelled)
            return modes;
        for (std::size_t j = 0; j < gram.size; ++j)
            modes.energy += gram(j, j);
        auto right = rightVectors(gram, modes.energy, options);
        vectors = std::move(right.vectors);
        modes.singularValues = std::move(right.singularValues);
        modes.cutEnergy = right.cutEnergy;
    }
    modes.coefficients.resize(modes.snapshots * modes.count());
    for (std::size_t j = 0; j < modes.snapshots; ++j)
        for (std::size_t m = 0; m < modes.count(); ++m)
            modes.coefficients[j * modes.count() + m] =
                vectors(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(m))
                * modes.singularValues[m];

    ModesPass pass(modes, vectors, weights, options.cpu);
    modes.cancelled = !forBlocks(
        snapshots, blockColumns(snapshots, options.blockBytes), "a block of snapshots",
        [&](std::size_t first, MatrixView<const float> block) {
            pass.run(first, block, write);
            return progress(gramShare
                            + (1 - gramShare) * static_cast<double>(first + block.columns)
                                  / static_cast<double>(modes.values));
        });
    setErrors(modes, pass.squares(), pass.largest());
    return modes;
}

} // namespace gridhelm::modes
