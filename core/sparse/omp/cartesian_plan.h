// SPDX-License-Identifier: GPL-3.0-or-later
//
// Evaluation of 1 to 3 dimensions on a Cartesian product of coordinates, dimension by dimension
// (docs/theory/evaluation.md, eq:cartesian). Along a dimension the interpolant is piecewise linear
// on the pole's finest nodes, so each pole is turned into nodal values once and then read twice per
// coordinate, whatever the number of levels:
//
//     value at a node = mean of its neighbours on the coarser levels + coefficient
//
// Along a dimension without hats (hasHats()) it is not, and each coordinate reads one value or row
// of each state.
#pragma once

#include "core/execution/device.h"
#include "core/execution/tunable.h"
#include "core/sparse/omp/pole_shape.h"
#include "core/sparse/point_set.h"
#include "core/sparse/unfolded/unfolded_grid.h"

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace gridhelm::sparse::omp {

/// Operation "cartesian": size is the number of values of the free dimensions' grid, by their
/// number.
extern const TunableOperation cartesianTunable;

/// Values of a row that are handled at a time: what a table has.
int cartesianTile(const TuningTable &table, std::size_t valueBytes, const UnfoldedGrid &nodes);
inline constexpr int defaultCartesianTile = 128;

class CartesianPlan
{
public:
    /// False if the grid has more than 3 dimensions, or is so fine against the picture that the
    /// random path is the better one. `axes` has one list per dimension of `nodes`.
    template <typename T>
    static bool isWorthwhile(const UnfoldedGrid &nodes, const std::vector<std::vector<T>> &axes);

    /// `nodes` has 1 to 3 dimensions.
    explicit CartesianPlan(const UnfoldedGrid &nodes, int tile = defaultCartesianTile);

    /// Writes axes[0].size() * axes[1].size() * ... values, last dimension fastest. `nodes` is that
    /// of the constructor.
    template <typename T>
    void evaluate(const UnfoldedGrid &nodes, const T *values,
                  const std::vector<std::vector<T>> &axes, std::span<T> out,
                  const CpuDevice &cpu) const;

    std::size_t bytes() const { return m_columns.capacity() * sizeof(Column); }

private:
    /// The nodes with the same states in the first two dimensions: for each of their positions a
    /// pole in the last one.
    struct Column
    {
        int slowState = 0, middleState = 0;
        int slowBits = 0, middleBits = 0;
        std::size_t firstRow = 0; ///< of the picture rows that stage 1 makes of the poles
        int highestLastState = 0;
        std::array<std::uint64_t, maximumStates> offsets{}; ///< of the nodes, by last state
    };

    template <typename T>
    void evaluateLastDimension(const T *values, const std::vector<T> &axis, T *rows,
                               const CpuDevice &cpu) const;

    /// Dimensions slow, middle, last; missing ones are constant.
    std::array<DimensionBasis, 3> m_bases;
    std::size_t m_tile; ///< of the last dimension
    std::vector<Column> m_columns;
    std::size_t m_rows = 0;
    int m_highestSlowState = 0;
    int m_highestMiddleState = 0;
    int m_highestLastState = 0;
};

} // namespace gridhelm::sparse::omp
