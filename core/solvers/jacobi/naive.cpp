// SPDX-License-Identifier: GPL-3.0-or-later
//
// Jacobi word for word: one thread, one value after the other.
#include "core/solvers/jacobi/method.h"
#include "core/solvers/jacobi/source_row.h"
#include "core/solvers/poisson/methods.h"
#include "core/support/flush_denormals.h"

namespace gridhelm::solvers::jacobi {

namespace {

template <typename T>
class Naive final : public Method<T>
{
public:
    typename Method<T>::Pass pass(JacobiState<T> &state, std::uint64_t) override
    {
        const FlushDenormals flush;
        T largest = 0;
        state.present.forEachRow([&](std::ptrdiff_t j, std::ptrdiff_t k, std::size_t) {
            const auto row = stencilRow(state.present, state.next, state.source, 0, j, k,
                                        state.problem.unknowns[0]);
            const auto *spike = state.source.spikeIn(j, k);
            for (std::ptrdiff_t i = 0; i < state.points(0); ++i) {
                T f = row.source != nullptr ? row.source[i] : T(0);
                if (spike != nullptr && spike->i == i)
                    f = spike->value;
                row.target[i] = updatedValue(row, i, f);
                largest = std::max(largest, std::abs(row.target[i] - row.centre[i]));
            }
        });
        setAllGhosts(state.next, state.problem.sides, state.problem.spacing);
        state.swap();
        return {1, static_cast<double>(largest)};
    }
};

template <typename T>
std::unique_ptr<PoissonIterations<T>> makeNaive(const PoissonProblem &problem, const OptionValues &,
                                                const ExecutionContext &)
{
    return std::make_unique<CpuIterations<T>>(
        problem, CpuDevice{}, [](const JacobiState<T> &) { return std::make_unique<Naive<T>>(); });
}

} // namespace
} // namespace gridhelm::solvers::jacobi

constinit const gridhelm::solvers::PoissonMethod gridhelm::solvers::naiveJacobi{
    .family = &jacobiFamily,
    .name = "naive",
    .summary = "two plain loops, one thread",
    .purpose = "To compare the others with: the formula as it stands in books. The slowest.",
    .solves3D = true,
    .isSerial = true,
    .reportsChange = true,
    .makeFloat = jacobi::makeNaive<float>,
    .makeDouble = jacobi::makeNaive<double>,
};
