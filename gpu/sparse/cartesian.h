// SPDX-License-Identifier: GPL-3.0-or-later
//
// Evaluation of 1 to 3 dimensions on a Cartesian product of coordinates on the device, dimension by
// dimension: first every pole of the last dimension becomes a row of the picture; then, for each
// slow coordinate and a tile of the last dimension, the functions of the slow dimension combine
// rows to a pole of the middle one, which stays in shared memory while all its coordinates read it.
#pragma once

#include "core/sparse/unfolded/unfolded_grid.h"
#include "gpu/support/buffer.h"

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace gridhelm::gpu {

/// The nodes with the same states in the slow and the middle dimension: for each of their positions
/// a pole in the last one.
struct PictureColumn
{
    std::uint32_t firstRow; ///< of the rows that the poles become
    std::uint8_t slowState;
    std::uint8_t middleBits;
    std::uint8_t lastStates; ///< how many
    std::uint8_t unused;
    std::uint32_t firstOffset; ///< of the nodes' offsets, by last state
};

template <typename T>
class CartesianPicture
{
public:
    using Axes = std::vector<std::vector<T>>;

    /// `nodes` has 1 to 3 dimensions.
    explicit CartesianPicture(const sparse::UnfoldedGrid &nodes);

    /// False if the grid is so fine that its poles do not fit into shared memory, or its rows into
    /// what is free on the device: then evaluating single points is the way.
    bool isPossible(const Axes &axes) const;

    /// Called when the values [begin, end) of the picture have been enqueued.
    using Finished = std::function<void(std::size_t begin, std::size_t end)>;
    /// Writes axes[0].size() * axes[1].size() * ... values, last dimension fastest; all on the
    /// device, in up to `slabs` pieces. One call at a time.
    void evaluate(const T *nodeValues, const Axes &axes, T *out, int slabs,
                  const Finished &finished, cudaStream_t stream);

    std::size_t bytes() const;

private:
    struct Axis
    {
        sparse::DimensionBasis basis = sparse::BoundaryTreatment::modified;
        int states = 1;
        std::vector<T> known; ///< whose functions the tables hold
        PinnedBuffer<T> staged;
        DeviceBuffer<T> coordinates;
        DeviceBuffer<T> values; ///< state after state
        DeviceBuffer<std::uint32_t> positions;
    };
    void tabulate(Axis &axis, const std::vector<T> &coordinates, cudaStream_t stream);
    std::size_t widestTile() const;

    std::array<Axis, 3> m_axes; ///< slow, middle, last; missing ones have one constant function
    std::size_t m_dimension;
    std::uint32_t m_rows = 0;
    std::uint32_t m_entries = 0;           ///< functions of the middle dimension
    DeviceBuffer<PictureColumn> m_columns; // by middle state
    DeviceBuffer<std::uint64_t> m_offsets; // of nodes
    DeviceBuffer<std::uint32_t> m_columnOfRow;
    DeviceBuffer<std::uint32_t> m_columnBegin; // by middle state, one more
    DeviceBuffer<std::uint32_t> m_entryBegin;  // by middle state, one more
    DeviceBuffer<std::uint8_t> m_stateOfEntry;
    DeviceBuffer<T> m_rowValues;
};

} // namespace gridhelm::gpu
