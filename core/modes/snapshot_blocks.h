// SPDX-License-Identifier: GPL-3.0-or-later
//
// Snapshots that are together larger than memory: read by blocks, whoever stores them.
#pragma once

#include "core/linalg/combination.h"

#include <cstddef>
#include <span>

namespace gridhelm::modes {

using linalg::MatrixView;

/// A tall matrix, one row for each snapshot. Every pass over it reads its columns from the first to
/// the last, a block of columns of all rows at a time.
class SnapshotBlocks
{
public:
    virtual ~SnapshotBlocks() = default;

    virtual std::size_t snapshots() const = 0;
    /// Of each snapshot.
    virtual std::size_t values() const = 0;
    /// Columns that are best read together. Blocks begin at multiples of it, or of a part of it.
    virtual std::size_t columnsAtOnce() const = 0;

    /// Fills block (snapshots() rows) with the columns [first, first + block.columns). Called by
    /// one thread at a time.
    virtual void read(std::size_t first, MatrixView<float> block) = 0;
};

/// Rows that are in memory; they must outlive this.
class SnapshotsInMemory final : public SnapshotBlocks
{
public:
    explicit SnapshotsInMemory(MatrixView<const float> matrix)
        : m_matrix(matrix)
    {
    }

    std::size_t snapshots() const override { return m_matrix.rows; }
    std::size_t values() const override { return m_matrix.columns; }
    std::size_t columnsAtOnce() const override { return std::size_t{1} << 14; }
    void read(std::size_t first, MatrixView<float> block) override;

private:
    MatrixView<const float> m_matrix;
};

/// The inner product of snapshots: <f, g> = sum_k of(k) f_k g_k. A weight belongs to a node (its
/// volume), and so to all of its components, which are adjacent.
struct NodeWeights
{
    std::span<const double> ofNodes; ///< finite, none negative, not all 0
    std::size_t components = 1;

    double of(std::size_t value) const { return ofNodes[value / components]; }
    std::size_t values() const { return ofNodes.size() * components; }
};

/// Throws gridhelm::Error unless these are weights of so many values.
void requireSound(const NodeWeights &weights, std::size_t values);

} // namespace gridhelm::modes
