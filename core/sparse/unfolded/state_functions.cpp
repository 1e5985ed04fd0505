// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/unfolded/state_functions.h"

#include "core/sparse/basis_functions.h"
#include "core/sparse/unfolded/state_function.h"

namespace gridhelm::sparse {

namespace {

constexpr auto lejaTable = makeLejaTable<double>();

template <typename Use>
void forEachState(DimensionBasis basis, int highestState, double x, Use use)
{
    if (basis.treatment == BoundaryTreatment::leja) {
        forEachLejaState(lejaTable, highestState, x, use);
        return;
    }
    for (int state = 0; state <= highestState; ++state)
        use(state, polynomialState(basis, state, x));
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
StateValue<T> rounded(const StateValue<double> &state)
{
    return {static_cast<T>(state.value), static_cast<T>(state.slope), state.position};
}

} // namespace

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
                 [&](int state, const StateValue<double> &value) {
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
    forEachState(basis, highestState, at, [&](int state, const StateValue<double> &value) {
        if (state > 0) // that of state 0 is 1
            ratios[static_cast<std::size_t>(state) - 1] = rounded<T>(value);
    });
}

const std::vector<std::array<double, treatments::lejaPoints.size()>> &lejaFunctionsAtPoints()
{
    static const auto all = [] {
        const DimensionBasis leja = BoundaryTreatment::leja;
        const int highest = highestLevelOf(leja.treatment);
        std::vector<std::array<double, treatments::lejaPoints.size()>> values(
            static_cast<std::size_t>(highest) + 1);
        for (int level = 0; level <= highest; ++level) {
            const double x = pointCoordinate(leja.treatment, static_cast<Level>(level), 0);
            for (int below = 0; below < level; ++below)
                values[static_cast<std::size_t>(level)][static_cast<std::size_t>(below)] =
                    basisFunction(leja, below, 0, x).value;
        }
        return values;
    }();
    return all;
}

template void stateFunctions<float>(DimensionBasis, int, float, std::vector<StateValue<float>> &);
template void stateFunctions<double>(DimensionBasis, int, double,
                                     std::vector<StateValue<double>> &);
template void stateRatios<float>(DimensionBasis, int, float, std::vector<StateValue<float>> &);
template void stateRatios<double>(DimensionBasis, int, double, std::vector<StateValue<double>> &);

} // namespace gridhelm::sparse
