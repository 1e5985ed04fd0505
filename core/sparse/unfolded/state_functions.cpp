// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/unfolded/state_functions.h"

#include "core/sparse/basis.h"
#include "core/sparse/cell_polynomial.h"
#include "core/sparse/unfolded/state_function.h"

#include <cmath>

namespace gridhelm::sparse {

namespace {

/// A function of one state in double.
struct StateInDouble
{
    double value;
    double slope;
    std::uint32_t position;
};

/// prod over k < state of (x - x_k) / (x_state - x_k) for state after state: one factor more each.
template <typename Use>
void forEachLejaState(int highestState, double x, Use use)
{
    const auto &points = treatments::lejaPoints;
    double product = 1, slope = 0;
    for (int state = 0; state <= highestState; ++state) {
        const double scale = lejaScales()[static_cast<std::size_t>(state)];
        use(state, StateInDouble{product * scale, slope * scale, 0});
        const double factor = 4 * (x - points[static_cast<std::size_t>(state)]);
        slope = slope * factor + 4 * product;
        product *= factor;
    }
}

/// Those of the levels of cells: all but leja, and the first states of clenshaw-curtis and of a
/// treatment with end points.
StateInDouble inCells(DimensionBasis basis, int cells, double x)
{
    const auto cell = cellOf(cells, x);
    const double width = std::ldexp(1.0, -cells);
    if (basis.degree == 1) {
        constexpr auto hats = BoundaryTreatment::boundary;
        return {basisValue(hats, cells, cell), basisDerivative(hats, cells, cell), cell.position};
    }
    const auto function =
        cellPolynomial(cell.fraction, inverseOfFurtherRoot(basis, cells, cell.position));
    return {function.value, function.slope / width, cell.position};
}

/// Those over the whole range: 1, 2x - 1 and its square, and the halves of |2x - 1|.
StateInDouble overTheRange(DimensionBasis basis, int state, double x)
{
    const double line = 2 * x - 1;
    if (state == 0)
        return {1, 0, 0};
    if (hasEndPoints(basis.treatment))
        return {line, 2, 0};
    if (basis.degree == 1) // max(0, 1 - 2x) and max(0, 2x - 1)
        return x < 0.5 ? StateInDouble{-line, -2, 0} : StateInDouble{line, 2, 1};
    return state == 1 ? StateInDouble{line * line, 4 * line, 0} : StateInDouble{line, 2, 0};
}

template <typename Use>
void forEachState(DimensionBasis basis, int highestState, double x, Use use)
{
    if (basis.treatment == BoundaryTreatment::leja) {
        forEachLejaState(highestState, x, use);
        return;
    }
    for (int state = 0; state <= highestState; ++state) {
        const int cells = cellLevel(basis, levelOfState(basis, state));
        use(state, cells < 0 ? overTheRange(basis, state, x) : inCells(basis, cells, x));
    }
}

/// The quotient of a function of `zero` and 4x (1 - x). Next to an end both vanish there, and the
/// common factor is left out.
StateInDouble ratioOfZero(DimensionBasis basis, int cells, double x)
{
    const auto cell = cellOf(cells, x);
    const double t = cell.fraction, count = std::ldexp(1.0, cells);
    const double inverse = inverseOfFurtherRoot(basis, cells, cell.position);
    const double further = 1 - (2 * t - 1) * inverse;
    if (cell.position == 0) {
        // 2^cells (1 - t) (1 - (2t - 1) / r) / (1 - x)
        const double value = count * (1 - t) * further / (1 - x);
        const double slope = count * count * (-further - 2 * (1 - t) * inverse) / (1 - x);
        return {value, slope + value / (1 - x), 0};
    }
    if (cell.position == (std::uint32_t{1} << cells) - 1) {
        const double value = count * t * further / x;
        const double slope = count * count * (further - 2 * t * inverse) / x;
        return {value, slope - value / x, cell.position};
    }
    const auto function = inCells(basis, cells, x);
    const double parabola = 4 * x * (1 - x);
    const double value = function.value / parabola;
    return {value, (function.slope - value * 4 * (1 - 2 * x)) / parabola, cell.position};
}

template <typename T>
T hatSlope(BoundaryTreatment treatment, int state, T x)
{
    const int level = levelOfState(treatment, state);
    if (level < 0)
        return state == 0 ? T(0) : T(2);
    return basisDerivative(treatment, level, cellOf(level, x));
}

template <typename T>
StateValue<T> rounded(const StateInDouble &state)
{
    return {static_cast<T>(state.value), static_cast<T>(state.slope), state.position};
}

} // namespace

const std::vector<double> &lejaScales()
{
    static const std::vector<double> scales = [] {
        const auto &points = treatments::lejaPoints;
        std::vector<double> result;
        for (std::size_t level = 0; level < points.size(); ++level) {
            double product = 1;
            for (std::size_t k = 0; k < level; ++k)
                product *= 4 * (points[level] - points[k]);
            result.push_back(1 / product);
        }
        return result;
    }();
    return scales;
}

template <typename T>
void stateFunctions(DimensionBasis basis, int highestState, T x,
                    std::vector<StateValue<T>> &functions)
{
    functions.resize(static_cast<std::size_t>(highestState) + 1);
    if (hasHats(basis)) {
        for (int state = 0; state <= highestState; ++state) {
            const auto function = stateFunction(basis.treatment, state, x);
            functions[static_cast<std::size_t>(state)] = {
                function.value, hatSlope(basis.treatment, state, x), function.position};
        }
        return;
    }
    forEachState(basis, highestState, static_cast<double>(x),
                 [&](int state, const StateInDouble &value) {
                     functions[static_cast<std::size_t>(state)] = rounded<T>(value);
                 });
}

template <typename T>
void stateRatios(DimensionBasis basis, int highestState, T x, std::vector<StateValue<T>> &ratios)
{
    ratios.resize(static_cast<std::size_t>(highestState));
    const auto at = static_cast<double>(x);
    if (basis.treatment == BoundaryTreatment::zero) {
        for (int state = 1; state <= highestState; ++state)
            ratios[static_cast<std::size_t>(state) - 1] = rounded<T>(ratioOfZero(basis, state, at));
        return;
    }
    forEachState(basis, highestState, at, [&](int state, const StateInDouble &value) {
        if (state > 0) // that of state 0 is 1
            ratios[static_cast<std::size_t>(state) - 1] = rounded<T>(value);
    });
}

template void stateFunctions<float>(DimensionBasis, int, float, std::vector<StateValue<float>> &);
template void stateFunctions<double>(DimensionBasis, int, double,
                                     std::vector<StateValue<double>> &);
template void stateRatios<float>(DimensionBasis, int, float, std::vector<StateValue<float>> &);
template void stateRatios<double>(DimensionBasis, int, double, std::vector<StateValue<double>> &);

} // namespace gridhelm::sparse
