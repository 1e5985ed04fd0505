// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/omp/cartesian_plan.h"

#include "core/sparse/basis.h"
#include "core/sparse/omp/row_kernel.h"

#include <omp.h>

#include <algorithm>
#include <map>

namespace gridhelm::sparse::omp {

namespace {

/// Values of a picture row handled at a time, so that the nodal rows of a plane stay in cache.
constexpr std::size_t tileWidth = 64;

/// A pole may have this many times more nodes than the axis has points before evaluating single
/// points is cheaper.
constexpr std::size_t nodesPerAxisPoint = 8;
constexpr std::size_t alwaysAffordableNodes = 2048;

constexpr std::size_t mostPictureRowBytes = std::size_t{1} << 30;

template <typename T>
std::vector<AxisPoint<T>> locate(const std::vector<T> &axis, int highestLevel)
{
    std::vector<AxisPoint<T>> points;
    points.reserve(axis.size());
    for (T x : axis) {
        const auto cell = cellOf(highestLevel + 1, x);
        points.push_back({cell.position, cell.fraction});
    }
    return points;
}

/// Value and position of a state's function at x.
template <typename T>
struct StateFunction
{
    T value;
    std::size_t position;
};

template <typename T>
StateFunction<T> functionOf(BoundaryTreatment treatment, int state, T x)
{
    const int level = levelOfState(treatment, state);
    if (level < 0)
        return {state == 0 ? T(1) : T(2) * x - T(1), 0};
    const auto cell = cellOf(level, x);
    return {basisValue(treatment, level, cell), cell.position};
}

/// Where a state's coefficient `position` stands among the nodes of a pole.
std::size_t nodeOf(const PoleShape &shape, int state, std::size_t position)
{
    const int level = levelOfState(shape.treatment, state);
    if (level < 0)
        return state == 0 ? 0 : shape.nodes() - 1;
    return shape.node(level, position);
}

PoleShape shapeFor(BoundaryTreatment treatment, int highestState)
{
    return {treatment, levelOfState(treatment, highestState),
            treatment == BoundaryTreatment::boundary && highestState >= 1};
}

} // namespace

template <typename T>
bool CartesianPlan::isWorthwhile(const UnfoldedGrid &nodes, const std::vector<std::vector<T>> &axes)
{
    const auto d = axes.size();
    if (d < 1 || d > 3)
        return false;
    for (std::size_t t = 0; t < d; ++t) {
        const auto shape
            = shapeFor(nodes.treatments()[t], nodes.highestState(static_cast<int>(t)));
        const bool isSlow = t == 0 && d == 3; // evaluated function by function
        if (!isSlow && shape.nodes() > alwaysAffordableNodes
            && shape.nodes() > nodesPerAxisPoint * axes[t].size())
            return false;
    }
    return nodes.storage() * axes.back().size() < mostPictureRowBytes / sizeof(T) * 2;
}

CartesianPlan::CartesianPlan(const UnfoldedGrid &nodes)
{
    // Missing dimensions have one node with the constant function.
    const auto d = static_cast<std::size_t>(nodes.dimension());
    m_treatments.fill(BoundaryTreatment::modified);
    std::copy(nodes.treatments().begin(), nodes.treatments().end(),
              m_treatments.begin() + static_cast<std::ptrdiff_t>(3 - d));

    std::map<std::pair<int, int>, Column> columns;
    for (std::size_t node = 0; node < nodes.nodes(); ++node) {
        std::array<int, 3> states{};
        std::ranges::copy(nodes.states(node), states.begin() + static_cast<std::ptrdiff_t>(3 - d));
        auto &column = columns[{states[0], states[1]}];
        column.offsets[static_cast<std::size_t>(states[2])] = nodes.offset(node);
        // States of a pole follow each other without a gap, so the count is the highest state + 1.
        column.shape.highestLevel = std::max(column.shape.highestLevel, states[2]);
    }
    for (auto &[states, column] : columns) {
        column.slowState = states.first;
        column.middleState = states.second;
        column.slowBits = bitsOfState(m_treatments[0], states.first);
        column.middleBits = bitsOfState(m_treatments[1], states.second);
        column.firstRow = m_rows;
        column.shape = shapeFor(m_treatments[2], column.shape.highestLevel);
        m_rows += std::size_t{1} << (column.slowBits + column.middleBits);
        m_highestSlowState = std::max(m_highestSlowState, states.first);
        m_highestMiddleState = std::max(m_highestMiddleState, states.second);
        m_columns.push_back(column);
    }
}

/// Stage 1: every pole in the last dimension becomes a row of the picture.
template <typename T>
std::vector<T> CartesianPlan::evaluateLastDimension(const T *values, const std::vector<T> &axis,
                                                    int threads) const
{
    const auto width = axis.size();
    std::vector<T> rows(m_rows * width);
#pragma omp parallel num_threads(threads)
    {
        std::vector<T> nodal;
#pragma omp for schedule(dynamic)
        for (std::size_t c = 0; c < m_columns.size(); ++c) {
            const auto &column = m_columns[c];
            const auto &shape = column.shape;
            const auto points = locate(axis, shape.highestLevel);
            const int states = shape.highestLevel + 1
                               + (shape.treatment == BoundaryTreatment::boundary
                                      ? (shape.hasLinear ? 2 : 1)
                                      : 0);
            nodal.assign(shape.nodes(), T(0));
            const auto poles = std::size_t{1} << (column.slowBits + column.middleBits);
            for (std::size_t pole = 0; pole < poles; ++pole) {
                for (int state = 0; state < states; ++state) {
                    const int bits = bitsOfState(shape.treatment, state);
                    const T *from = values + column.offsets[static_cast<std::size_t>(state)]
                                    + (pole << bits);
                    const auto count = std::size_t{1} << bits;
                    for (std::size_t i = 0; i < count; ++i)
                        nodal[nodeOf(shape, state, i)] = from[i];
                }
                hierarchicalToNodal<T>(shape, nodal.data(), 1);
                T *row = rows.data() + (column.firstRow + pole) * width;
                for (std::size_t i = 0; i < width; ++i) {
                    const T left = nodal[points[i].cell], right = nodal[points[i].cell + 1];
                    row[i] = left + points[i].fraction * (right - left);
                }
            }
        }
    }
    return rows;
}

template <typename T>
void CartesianPlan::evaluate(const UnfoldedGrid &nodes, const T *values,
                             const std::vector<std::vector<T>> &axes, std::span<T> out,
                             int threads) const
{
    const auto d = static_cast<std::size_t>(nodes.dimension());
    static const std::vector<T> single{T(0.5)};
    const auto &slowAxis = d == 3 ? axes[0] : single;
    const auto &middleAxis = d >= 2 ? axes[d - 2] : single;
    const auto &lastAxis = axes[d - 1];
    const auto width = lastAxis.size();
    if (out.size() < 20000)
        threads = 1;

    const auto rows = evaluateLastDimension(values, lastAxis, threads);
    if (d == 1) {
        std::ranges::copy(rows, out.begin());
        return;
    }

    // Stage 2, for every slow coordinate and a tile of the last dimension: the functions of the
    // slow dimension combine rows to a pole of rows in the middle dimension. Stage 3: that pole
    // becomes nodal and is interpolated.
    const auto middleShape = shapeFor(m_treatments[1], m_highestMiddleState);
    const auto middlePoints = locate(middleAxis, middleShape.highestLevel);
    const auto tiles = (width + tileWidth - 1) / tileWidth;
    std::vector<std::vector<const Column *>> columnsOfMiddle(
        static_cast<std::size_t>(m_highestMiddleState) + 1);
    for (const auto &column : m_columns)
        columnsOfMiddle[static_cast<std::size_t>(column.middleState)].push_back(&column);

#pragma omp parallel num_threads(threads)
    {
        std::vector<T> pole(middleShape.nodes() * tileWidth);
        std::vector<WeightedRow<T>> terms;
        std::array<StateFunction<T>, maximumLevel + 2> functions;
#pragma omp for schedule(static)
        for (std::size_t task = 0; task < slowAxis.size() * tiles; ++task) {
            const auto slow = task / tiles, tile = task % tiles;
            const auto begin = tile * tileWidth;
            const auto tileSize = std::min(tileWidth, width - begin);
            for (int state = 0; state <= m_highestSlowState; ++state)
                functions[static_cast<std::size_t>(state)]
                    = functionOf(m_treatments[0], state, slowAxis[slow]);
            for (std::size_t middle = 0; middle < columnsOfMiddle.size(); ++middle) {
                const int state = static_cast<int>(middle);
                const auto count = std::size_t{1} << bitsOfState(m_treatments[1], state);
                for (std::size_t i = 0; i < count; ++i) {
                    terms.clear();
                    for (const Column *column : columnsOfMiddle[middle]) {
                        const auto &function
                            = functions[static_cast<std::size_t>(column->slowState)];
                        if (function.value == T(0))
                            continue;
                        const auto row = column->firstRow
                                         + (function.position << column->middleBits) + i;
                        terms.push_back({rows.data() + row * width + begin, function.value});
                    }
                    combineRows<T>(terms,
                                   pole.data() + nodeOf(middleShape, state, i) * tileSize,
                                   tileSize);
                }
            }
            hierarchicalToNodal<T>(middleShape, pole.data(), tileSize);
            interpolateRows<T>(pole.data(), middlePoints,
                               out.data() + slow * middleAxis.size() * width + begin, width,
                               tileSize);
        }
    }
}

template bool CartesianPlan::isWorthwhile<float>(const UnfoldedGrid &,
                                                 const std::vector<std::vector<float>> &);
template bool CartesianPlan::isWorthwhile<double>(const UnfoldedGrid &,
                                                  const std::vector<std::vector<double>> &);
template void CartesianPlan::evaluate<float>(const UnfoldedGrid &, const float *,
                                             const std::vector<std::vector<float>> &,
                                             std::span<float>, int) const;
template void CartesianPlan::evaluate<double>(const UnfoldedGrid &, const double *,
                                              const std::vector<std::vector<double>> &,
                                              std::span<double>, int) const;

} // namespace gridhelm::sparse::omp
