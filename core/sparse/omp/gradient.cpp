// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/omp/gradient.h"

#include "core/sparse/basis.h"
#include "core/sparse/unfolded/state_functions.h"

#include <array>
#include <vector>

namespace gridhelm::sparse::omp {

namespace {

/// The ratio of a state's function and that of state 0, with its derivative.
template <typename T>
struct Ratio
{
    T value;
    T derivative;
    std::uint32_t position;
    int dimension;
};

/// The function of state 0.
template <typename T>
struct State0
{
    T value = 1;
    T derivative = 0;
};

template <typename Treatment, typename T>
Ratio<T> ratioOf(int state, T x, const State0<T> &state0, int t)
{
    constexpr auto ends = Treatment::ends;
    const int level = ends.arePoints ? state - 2 : state;
    if (level < 0) // 2x - 1
        return {T(2) * x - T(1), T(2), 0, t};
    const auto cell = cellOf(level, x);
    const T value = basisValue<Treatment>(level, cell);
    const T derivative = basisDerivative<Treatment>(level, cell);
    if constexpr (isStateZeroConstant<Treatment>)
        return {value, derivative, cell.position, t};
    const auto last = (std::uint32_t{1} << level) - 1;
    if ((ends.levelZero.low == 0 && cell.position == 0 && cell.fraction < T(0.5))
        || (ends.levelZero.high == 0 && cell.position == last && cell.fraction >= T(0.5)))
        return {static_cast<T>(std::uint32_t{1} << level), T(0), cell.position, t};
    const T ratio = value / state0.value;
    return {ratio, (derivative - ratio * state0.derivative) / state0.value, cell.position, t};
}

/// Those of a dimension without hats.
template <typename T>
void appendPolynomials(DimensionBasis basis, int highestState, T x, int t,
                       std::vector<Ratio<T>> &ratios, State0<T> &state0)
{
    static thread_local std::vector<StateValue<T>> functions;
    stateFunctions(basis, 0, x, functions);
    state0 = {functions[0].value, functions[0].slope};
    stateRatios(basis, highestState, x, functions);
    for (const auto &function : functions)
        ratios.push_back({function.value, function.slope, function.position, t});
}

/// S of a parent, and its partial derivatives.
template <typename T>
struct Dual
{
    T value = 0;
    std::array<T, maximumDimension> derivatives{};
};

template <typename T>
class DualWalk
{
public:
    DualWalk(const T *values, const std::vector<Ratio<T>> &ratios, std::size_t dimension)
        : m_values(values)
        , m_ratios(ratios)
        , m_dimension(dimension)
    {
    }

    const ProgramWord *parent(const ProgramWord *word, std::uint64_t index, Dual<T> &sum) const
    {
        const auto header = decode<ParentHeader>(*word++);
        for (int g = 0; g < header.groups + header.lastGroups; ++g) {
            const auto group = decode<GroupHeader>(*word++);
            word = addNodes(word, group.count, index << group.shift, sum);
        }
        for (std::uint64_t g = 0; g < header.bottomGroups; ++g) {
            const auto group = decode<BottomHeader>(*word++);
            for (std::uint64_t c = 0; c < group.count; ++c) {
                const auto child = decode<BottomChild>(*word++);
                const auto &ratio = m_ratios[child.row];
                const auto childIndex = (index << group.shift) | ratio.position;
                Dual<T> below;
                word = addNodes(word, child.count, childIndex << group.grandShift, below);
                addChild(ratio, below, sum);
            }
        }
        for (std::uint64_t c = 0; c < header.innerChildren; ++c) {
            const auto child = decode<ChildHeader>(*word++);
            const auto &ratio = m_ratios[child.row];
            Dual<T> below;
            word = parent(word, (index << child.shift) | ratio.position, below);
            addChild(ratio, below, sum);
        }
        return word;
    }

private:
    const ProgramWord *addNodes(const ProgramWord *word, std::uint64_t count,
                                std::uint64_t shiftedIndex, Dual<T> &sum) const
    {
        for (std::uint64_t i = 0; i < count; ++i) {
            const auto node = decode<NodeWord>(word[i]);
            const auto &ratio = m_ratios[node.row()];
            const T coefficient = m_values[node.offset() + (shiftedIndex | ratio.position)];
            sum.value += ratio.value * coefficient;
            sum.derivatives[static_cast<std::size_t>(ratio.dimension)] +=
                ratio.derivative * coefficient;
        }
        return word + count;
    }

    void addChild(const Ratio<T> &ratio, const Dual<T> &below, Dual<T> &sum) const
    {
        sum.value += ratio.value * below.value;
        // Below a child only later dimensions vary.
        const auto own = static_cast<std::size_t>(ratio.dimension);
        sum.derivatives[own] += ratio.derivative * below.value;
        for (std::size_t t = own + 1; t < m_dimension; ++t)
            sum.derivatives[t] += ratio.value * below.derivatives[t];
    }

    const T *m_values;
    const std::vector<Ratio<T>> &m_ratios;
    std::size_t m_dimension;
};

} // namespace

template <typename T>
T valueAndGradient(const EvaluationProgram &program, const UnfoldedGrid &nodes, const T *values,
                   std::span<const T> x, std::span<T> gradient)
{
    const auto d = x.size();
    std::array<State0<T>, maximumDimension> state0;
    static thread_local std::vector<Ratio<T>> ratios;
    ratios.clear();
    for (std::size_t t = 0; t < d; ++t) {
        const auto treatment = nodes.treatments()[t];
        const int highestState = nodes.highestState(static_cast<int>(t));
        if (!hasHats(nodes.basis(t))) {
            appendPolynomials(nodes.basis(t), highestState, x[t], static_cast<int>(t), ratios,
                              state0[t]);
            continue;
        }
        withTreatment(treatment, [&](auto type) {
            using Treatment = decltype(type);
            if constexpr (!isStateZeroConstant<Treatment>) {
                const auto cell = cellOf(0, x[t]);
                state0[t] = {basisValue<Treatment>(0, cell), basisDerivative<Treatment>(0, cell)};
            }
            for (int state = 1; state <= highestState; ++state)
                ratios.push_back(ratioOf<Treatment>(state, x[t], state0[t], static_cast<int>(t)));
        });
    }
    Dual<T> sum;
    sum.value = values[program.rootOffset()];
    DualWalk<T>(values, ratios, d).parent(program.words(), 0, sum);

    // (p_1 ... p_d S)' = p_1 ... (p_t' S + p_t S') ... p_d
    T value = sum.value;
    for (std::size_t t = 0; t < d; ++t)
        value *= state0[t].value;
    for (std::size_t t = 0; t < d; ++t) {
        T product = state0[t].derivative * sum.value + state0[t].value * sum.derivatives[t];
        for (std::size_t u = 0; u < d; ++u)
            product *= u == t ? T(1) : state0[u].value;
        gradient[t] = product;
    }
    return value;
}

template float valueAndGradient<float>(const EvaluationProgram &, const UnfoldedGrid &,
                                       const float *, std::span<const float>, std::span<float>);
template double valueAndGradient<double>(const EvaluationProgram &, const UnfoldedGrid &,
                                         const double *, std::span<const double>,
                                         std::span<double>);

} // namespace gridhelm::sparse::omp
