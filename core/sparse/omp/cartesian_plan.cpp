// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/omp/cartesian_plan.h"

#include "core/execution/parallel_for.h"
#include "core/linalg/aligned_buffer.h"
#include "core/linalg/row_kernel.h"
#include "core/sparse/basis.h"
#include "core/sparse/omp/function_rows.h"
#include "core/sparse/unfolded/state_functions.h"

#include <algorithm>
#include <map>

namespace gridhelm::sparse::omp {

namespace {

constexpr std::array valuesOfTiles{32, 64, 128, 256, 512, 1024};
constexpr TunableConstant tileConstant{.name = "tile",
                                       .meaning =
                                           "values of a row of the picture that are handled at a "
                                           "time, so that the nodal rows of a plane stay in cache",
                                       .values = valuesOfTiles,
                                       .compiledIn = defaultCartesianTile};
constexpr std::array<const TunableConstant *, 1> cartesianConstants{&tileConstant};

/// A pole may have this many times more nodes than the axis has points before evaluating single
/// points is cheaper.
constexpr std::size_t nodesPerAxisPoint = 8;
constexpr std::size_t alwaysAffordableNodes = 2048;

/// Scratch memory: the nodal rows of one tile (each thread), the rows of stage 1 (once).
constexpr std::size_t maxPoleBytes = std::size_t{1} << 25;
constexpr std::size_t maxRowBytes = std::size_t{1} << 28;

template <typename T>
std::vector<linalg::AxisPoint<T>> locate(const std::vector<T> &axis, int highestLevel)
{
    std::vector<linalg::AxisPoint<T>> points;
    points.reserve(axis.size());
    for (T x : axis) {
        const auto cell = cellOf(highestLevel + 1, x);
        points.push_back({cell.position, cell.fraction});
    }
    return points;
}

/// Turns the coefficients of one pole into the values at its nodes. `coefficientsOf(state)` points
/// to the coefficients of a state.
template <typename Treatment, typename T, typename CoefficientsOf>
void nodalValues(const PoleShape &shape, CoefficientsOf coefficientsOf, T *nodal)
{
    T &first = nodal[0];
    T &last = nodal[shape.nodes() - 1];
    constexpr auto ends = Treatment::ends;
    int state = 0;
    if constexpr (ends.arePoints) {
        const T linear = shape.hasLinearState() ? *coefficientsOf(1) : T(0);
        first = *coefficientsOf(0) - linear;
        last = *coefficientsOf(0) + linear;
        state = 2;
    } else if constexpr (isConstantOnLevelZero(ends)) {
        nodal[shape.node(0, 0)] = first = last = *coefficientsOf(0);
        state = 1;
    } else {
        first = last = T(0);
    }
    for (; state <= shape.highestState(); ++state) {
        const int level = levelOfState(shape.treatment(), state);
        const T *coefficients = coefficientsOf(state);
        const auto step = shape.step(level);
        const auto points = std::size_t{1} << level;
        for (std::size_t i = 0; i < points; ++i) {
            T *own = nodal + shape.node(level, i);
            *own = (*(own - step) + *(own + step)) / T(2) + coefficients[i];
        }
        // Those that reach the ends; level 0 comes here only if it is not constant.
        const auto atEnds = level == 0 ? ends.levelZero : ends.outermost;
        if (atEnds.low != 0)
            first += static_cast<T>(atEnds.low) * coefficients[0];
        if (atEnds.high != 0)
            last += static_cast<T>(atEnds.high) * coefficients[points - 1];
    }
}

/// The same for a pole of rows, as a sequence of row combinations.
/// `addTerms(state, position, factor)` appends the terms of a coefficient row, times a factor.
template <typename T>
class NodalRows
{
public:
    template <typename AddTerms>
    void compute(const PoleShape &shape, T *rows, std::size_t width, AddTerms addTerms)
    {
        m_shape = shape;
        m_rows = rows;
        m_width = width;
        m_terms.clear();
        m_combinations.clear();
        m_finishedTerms = 0;
        const auto last = m_shape.nodes() - 1;
        const auto ends = endsOf(m_shape.treatment());
        int state = 0;
        if (ends.arePoints) {
            for (std::size_t end : {std::size_t{0}, last}) {
                addTerms(0, 0, T(1), m_terms);
                if (m_shape.hasLinearState())
                    addTerms(1, 0, T(end == 0 ? -1 : 1), m_terms);
                finish(end);
            }
            state = 2;
        } else if (isConstantOnLevelZero(ends)) {
            for (std::size_t node : {std::size_t{0}, m_shape.node(0, 0), last}) {
                addTerms(0, 0, T(1), m_terms);
                finish(node);
            }
            state = 1;
        } else {
            finish(0);
            finish(last);
        }
        for (; state <= m_shape.highestState(); ++state)
            addLevel(state, addTerms);
        linalg::combineRowsInOrder<T>(m_combinations, m_terms, m_width);
    }

private:
    template <typename AddTerms>
    void addLevel(int state, AddTerms addTerms)
    {
        const int level = levelOfState(m_shape.treatment(), state);
        const auto step = m_shape.step(level);
        const auto points = std::size_t{1} << level;
        for (std::size_t i = 0; i < points; ++i) {
            const auto own = m_shape.node(level, i);
            addTerms(state, i, T(1), m_terms);
            m_terms.push_back({row(own - step), T(0.5)});
            m_terms.push_back({row(own + step), T(0.5)});
            finish(own);
        }
        const auto ends = endsOf(m_shape.treatment());
        const auto atEnds = level == 0 ? ends.levelZero : ends.outermost; // those that reach them
        for (const End end : {End::low, End::high}) {
            if (atEnds[end] == 0)
                continue;
            const auto node = end == End::low ? 0 : m_shape.nodes() - 1;
            addTerms(state, end == End::low ? 0 : points - 1, static_cast<T>(atEnds[end]), m_terms);
            m_terms.push_back({row(node), T(1)});
            finish(node);
        }
    }

    T *row(std::size_t node) { return m_rows + node * m_width; }

    /// The terms since the last call make up the row of a node.
    void finish(std::size_t node)
    {
        m_combinations.push_back({row(node), m_terms.size() - m_finishedTerms});
        m_finishedTerms = m_terms.size();
    }

    PoleShape m_shape;
    T *m_rows = nullptr;
    std::size_t m_width = 0;
    std::vector<linalg::WeightedRow<T>> m_terms;
    std::vector<linalg::RowCombination<T>> m_combinations;
    std::size_t m_finishedTerms = 0;
};

} // namespace

namespace {

/// Nodes of a pole, or functions where these are not hats.
std::size_t nodesOfPole(DimensionBasis basis, int highestState)
{
    return hasHats(basis) ? PoleShape(basis.treatment, highestState).nodes()
                          : FunctionTable<float>::functions(basis, highestState);
}

/// The row of a picture along one pole with hats.
template <typename Treatment, typename T, typename CoefficientsOf>
void evaluatePole(const PoleShape &shape, const std::vector<linalg::AxisPoint<T>> &points,
                  CoefficientsOf coefficientsOf, std::vector<T> &nodal, T *row)
{
    nodalValues<Treatment>(shape, coefficientsOf, nodal.data());
    for (std::size_t i = 0; i < points.size(); ++i) {
        const T left = nodal[points[i].cell], right = nodal[points[i].cell + 1];
        row[i] = left + points[i].fraction * (right - left);
    }
}

} // namespace

template <typename T>
bool CartesianPlan::isWorthwhile(const UnfoldedGrid &nodes, const std::vector<std::vector<T>> &axes)
{
    const auto d = axes.size();
    if (d < 1 || d > 3)
        return false;
    for (std::size_t t = 0; t < d; ++t) {
        const auto count = nodesOfPole(nodes.basis(t), nodes.highestState(static_cast<int>(t)));
        const bool isSlow = t == 0 && d == 3; // evaluated function by function
        if (!isSlow && count > alwaysAffordableNodes && count > nodesPerAxisPoint * axes[t].size())
            return false;
        const auto rowWidth =
            t + 1 == d ? 1 : std::min<std::size_t>(defaultCartesianTile, axes.back().size());
        if (!isSlow && count * rowWidth > maxPoleBytes / sizeof(T))
            return false;
    }
    // There are at most as many rows as values, and one if there is one dimension.
    return d == 1 || nodes.storage() <= maxRowBytes / sizeof(T) / axes.back().size();
}

constinit const TunableOperation cartesianTunable{"cartesian", "cpu", cartesianConstants};

int cartesianTile(const TuningTable &table, std::size_t valueBytes, const UnfoldedGrid &nodes)
{
    return tunedValue(tileConstant, table,
                      keyOf(cartesianTunable, valueBytes, static_cast<double>(nodes.storage()),
                            nodes.dimension()));
}

CartesianPlan::CartesianPlan(const UnfoldedGrid &nodes, int tile)
    : m_tile(static_cast<std::size_t>(tile))
{
    // Missing dimensions have one node with a constant function.
    const auto d = static_cast<std::size_t>(nodes.dimension());
    m_bases.fill(BoundaryTreatment::modified);
    std::copy(nodes.bases().begin(), nodes.bases().end(),
              m_bases.begin() + static_cast<std::ptrdiff_t>(3 - d));

    std::map<std::pair<int, int>, Column> columns;
    for (std::size_t node = 0; node < nodes.nodes(); ++node) {
        std::array<int, 3> states{};
        std::ranges::copy(nodes.states(node), states.begin() + static_cast<std::ptrdiff_t>(3 - d));
        auto &column = columns[{states[0], states[1]}];
        column.offsets[static_cast<std::size_t>(states[2])] = nodes.offset(node);
        column.highestLastState = std::max(column.highestLastState, states[2]);
    }
    for (auto &[states, column] : columns) {
        column.slowState = states.first;
        column.middleState = states.second;
        column.slowBits = bitsOfState(m_bases[0], states.first);
        column.middleBits = bitsOfState(m_bases[1], states.second);
        column.firstRow = m_rows;
        m_rows += std::size_t{1} << (column.slowBits + column.middleBits);
        m_highestSlowState = std::max(m_highestSlowState, states.first);
        m_highestMiddleState = std::max(m_highestMiddleState, states.second);
        m_highestLastState = std::max(m_highestLastState, column.highestLastState);
        m_columns.push_back(column);
    }
}

/// Stage 1: every pole in the last dimension becomes a row of the picture.
template <typename T>
void CartesianPlan::evaluateLastDimension(const T *values, const std::vector<T> &axis, T *rows,
                                          const CpuDevice &cpu) const
{
    const auto width = axis.size();
    const auto basis = m_bases[2];
    const bool isHat = hasHats(basis);
    FunctionTable<T> functions;
    if (!isHat)
        functions = FunctionTable<T>(basis, m_highestLastState, axis);
    parallelFor(m_columns.size(), cpu, 1, [&](std::size_t c) {
        const auto &column = m_columns[c];
        const auto poles = std::size_t{1} << (column.slowBits + column.middleBits);
        const auto coefficientsOf = [&](std::size_t pole, int state) {
            return values + column.offsets[static_cast<std::size_t>(state)]
                   + (pole << bitsOfState(basis, state));
        };
        T *row = rows + column.firstRow * width;
        if (!isHat) {
            for (std::size_t pole = 0; pole < poles; ++pole, row += width)
                functions.evaluate(
                    column.highestLastState, [&](int state) { return coefficientsOf(pole, state); },
                    row);
            return;
        }
        const PoleShape shape(basis.treatment, column.highestLastState);
        const auto points = locate(axis, shape.highestLevel());
        std::vector<T> nodal(shape.nodes());
        withTreatment(basis.treatment, [&](auto type) {
            for (std::size_t pole = 0; pole < poles; ++pole, row += width)
                evaluatePole<decltype(type)>(
                    shape, points, [&](int state) { return coefficientsOf(pole, state); }, nodal,
                    row);
        });
    });
}

template <typename T>
void CartesianPlan::evaluate(const UnfoldedGrid &nodes, const T *values,
                             const std::vector<std::vector<T>> &axes, std::span<T> out,
                             const CpuDevice &cpu) const
{
    const auto d = static_cast<std::size_t>(nodes.dimension());
    static const std::vector<T> single{T(0.5)};
    const auto &slowAxis = d == 3 ? axes[0] : single;
    const auto &middleAxis = d >= 2 ? axes[d - 2] : single;
    const auto &lastAxis = axes[d - 1];
    const auto width = lastAxis.size();
    const auto used = out.size() < 20000 ? CpuDevice{} : cpu;

    if (d == 1) {
        evaluateLastDimension(values, lastAxis, out.data(), used);
        return;
    }
    static thread_local linalg::AlignedBuffer<T> rowBuffer;
    T *const rows = rowBuffer.require(m_rows * width);
    evaluateLastDimension(values, lastAxis, rows, used);

    // Stage 2, for every slow coordinate and a tile of the last dimension: the functions of the
    // slow dimension combine rows to a pole of rows in the middle dimension. Stage 3: that pole
    // becomes nodal and is interpolated.
    const auto middleBasis = m_bases[1];
    const bool hasMiddleHats = hasHats(middleBasis);
    const auto poleNodes = nodesOfPole(middleBasis, m_highestMiddleState);
    PoleShape middleShape;
    std::vector<linalg::AxisPoint<T>> middlePoints;
    FunctionTable<T> middleFunctions;
    if (hasMiddleHats) {
        middleShape = PoleShape(middleBasis.treatment, m_highestMiddleState);
        middlePoints = locate(middleAxis, middleShape.highestLevel());
    } else {
        middleFunctions = FunctionTable<T>(middleBasis, m_highestMiddleState, middleAxis);
    }
    const auto tileWidth =
        std::min(m_tile, std::max<std::size_t>(maxPoleBytes / sizeof(T) / poleNodes, 1));
    const auto tileCount = (width + tileWidth - 1) / tileWidth;
    std::vector<std::vector<const Column *>> columnsOfMiddle(
        static_cast<std::size_t>(m_highestMiddleState) + 1);
    for (const auto &column : m_columns)
        columnsOfMiddle[static_cast<std::size_t>(column.middleState)].push_back(&column);

    parallelFor(slowAxis.size() * tileCount, used, 1, [&](std::size_t task) {
        static thread_local linalg::AlignedBuffer<T> poleBuffer;
        static thread_local NodalRows<T> nodalRows;
        T *const pole = poleBuffer.require(poleNodes * std::min(tileWidth, width));
        const auto slow = task / tileCount, tile = task % tileCount;
        const auto begin = tile * tileWidth;
        const auto tileSize = std::min(tileWidth, width - begin);
        static thread_local std::vector<StateValue<T>> functions;
        stateFunctions(m_bases[0], m_highestSlowState, slowAxis[slow], functions);
        const auto addTerms = [&](int state, std::size_t position, T factor, auto &terms) {
            for (const Column *column : columnsOfMiddle[static_cast<std::size_t>(state)]) {
                const auto &function = functions[static_cast<std::size_t>(column->slowState)];
                if (function.value == T(0))
                    continue;
                const auto row = column->firstRow
                                 + (std::size_t{function.position} << column->middleBits)
                                 + position;
                terms.push_back({rows + row * width + begin, factor * function.value});
            }
        };
        if (!hasMiddleHats) {
            static thread_local FunctionRows<T> functionRows;
            functionRows.evaluate(middleFunctions, pole, tileSize, addTerms,
                                  out.data() + slow * middleAxis.size() * width + begin, width);
            return;
        }
        nodalRows.compute(middleShape, pole, tileSize, addTerms);
        linalg::interpolateRows<T>(pole, middlePoints,
                                   out.data() + slow * middleAxis.size() * width + begin, width,
                                   tileSize);
    });
}

template bool CartesianPlan::isWorthwhile<float>(const UnfoldedGrid &,
                                                 const std::vector<std::vector<float>> &);
template bool CartesianPlan::isWorthwhile<double>(const UnfoldedGrid &,
                                                  const std::vector<std::vector<double>> &);
template void CartesianPlan::evaluate<float>(const UnfoldedGrid &, const float *,
                                             const std::vector<std::vector<float>> &,
                                             std::span<float>, const CpuDevice &) const;
template void CartesianPlan::evaluate<double>(const UnfoldedGrid &, const double *,
                                              const std::vector<std::vector<double>> &,
                                              std::span<double>, const CpuDevice &) const;

} // namespace gridhelm::sparse::omp
