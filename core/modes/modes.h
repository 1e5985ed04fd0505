// SPDX-License-Identifier: GPL-3.0-or-later
//
// Modes of snapshots: the few fields of which all of them are combinations, the most important ones
// first (docs/theory/modes.md; method of snapshots, [Sirovich1987]).
#pragma once

#include "core/execution/device.h"
#include "core/modes/snapshot_blocks.h"

#include <cstddef>
#include <functional>
#include <limits>
#include <vector>

namespace gridhelm::modes {

/// Shares of the energy below this cannot be told from round-off: eigenvalues of a Gram matrix in
/// double are known to some 1e-15 of the largest.
inline constexpr double smallestCut = 1e-12;

struct ModesOptions
{
    /// Share of the energy that may be cut: 1e-9 is a relative error of 3e-5. From smallestCut to
    /// less than 1.
    double cut = 1e-9;
    std::size_t maxModes = std::numeric_limits<std::size_t>::max();
    /// For a block of snapshots; besides, a matrix of snapshots x snapshots takes three times its
    /// size in double.
    double blockBytes = 512e6;
    CpuDevice cpu = {};
    /// Told the share of the work that is done, now and then; false stops.
    std::function<bool(double)> progress = {};
};

/// X = Phi C^T in the notation of docs/theory/modes.md, eq:modes: snapshot j is nearly
/// sum_m coefficients[j * modes + m] mode_m.
struct Modes
{
    std::size_t snapshots = 0;
    std::size_t values = 0;
    /// Of the modes, the largest first; none if all snapshots are 0.
    std::vector<double> singularValues;
    /// snapshots x modes, row by row. The columns are orthogonal to each other; the squares of
    /// column m add up to singularValues[m]^2, and its largest magnitude (the first, if several
    /// are) is positive.
    std::vector<double> coefficients;
    double energy = 0;    ///< sum of the squared norms of all snapshots
    double cutEnergy = 0; ///< share that was cut, by the eigenvalues

    // Measured, from the modes in single precision as they are written; relative to the root mean
    // square of the norms of all snapshots.
    std::vector<double> errors; ///< norm of what is left over of each snapshot
    double meanError = 0;       ///< root mean square of them
    double largestError = 0;
    /// Of all values of all snapshots, whatever their weights, the largest difference; relative to
    /// the root mean square of the values.
    double largestDifference = 0;

    bool cancelled = false; ///< nothing else counts then

    std::size_t count() const { return singularValues.size(); }
};

/// Told the modes, one in each row, by blocks of their values: columns [first, first + columns).
using WriteModes = std::function<void(std::size_t first, MatrixView<const float> block)>;

/// Reads the snapshots twice: for the Gram matrix, and for the modes with their errors. The modes
/// are orthonormal in the weighted inner product, to some 1e-15 of singularValues[0]^2 over the
/// product of the two singular values, and to single precision. The result is the same, bit by bit,
/// for any number of threads and any blockBytes. Throws gridhelm::Error for snapshots or weights
/// that are not finite, for a cut out of range, and if memory does not suffice.
Modes computeModes(SnapshotBlocks &snapshots, const NodeWeights &weights,
                   const ModesOptions &options, const WriteModes &write);

/// Rows in a basis of modes: any fields on the same nodes.
struct Projection
{
    std::vector<double> coefficients; ///< rows x modes, row by row
    std::vector<double> norms;        ///< of the rows
    /// Norms of what the modes lack of each row; known to 1e-7 of the row's norm, and rounded up by
    /// as much.
    std::vector<double> residuals;
    bool cancelled = false;
};

/// The inner products of rows with modes that are nearly orthonormal, as computeModes() writes
/// them. Reads both once, side by side. Errors as above, and for different numbers of values.
Projection projectOnModes(SnapshotBlocks &rows, SnapshotBlocks &modes, const NodeWeights &weights,
                          const ModesOptions &options);

} // namespace gridhelm::modes
