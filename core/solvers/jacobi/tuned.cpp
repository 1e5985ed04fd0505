// SPDX-License-Identifier: GPL-3.0-or-later
//
// Jacobi at the speed of memory, on one device or divided among several.
#include "core/solvers/jacobi/cpu_shares.h"
#include "core/solvers/jacobi/method.h"
#include "core/solvers/jacobi/tuned_update.h"
#include "core/solvers/poisson/methods.h"

namespace gridhelm::solvers::jacobi {

namespace {

template <typename T>
class Tuned final : public Method<T>
{
public:
    explicit Tuned(const JacobiState<T> &state)
        : m_update(state)
    {
    }

    typename Method<T>::Pass pass(JacobiState<T> &state, std::uint64_t most) override
    {
        const bool compares = most == 1;
        const auto layers = static_cast<std::ptrdiff_t>(state.slab.size());
        const T largest = m_update(state, {0, layers}, compares);
        state.swap();
        return {1, compares ? static_cast<double>(largest) : StepReport::none};
    }

private:
    TunedUpdate<T> m_update;
};

template <typename T>
std::unique_ptr<PoissonIterations<T>> make(const PoissonProblem &problem, const OptionValues &,
                                           const ExecutionContext &context)
{
    if (context.sharesWork())
        return std::make_unique<DividedIterations<T>>(makeCpuShares<T>(problem, context, 1));
    return std::make_unique<CpuIterations<T>>(problem, context.cpu(), makeTuned<T>);
}

} // namespace

template <typename T>
std::unique_ptr<Method<T>> makeTuned(const JacobiState<T> &state)
{
    return std::make_unique<Tuned<T>>(state);
}

template std::unique_ptr<Method<float>> makeTuned<float>(const JacobiState<float> &);
template std::unique_ptr<Method<double>> makeTuned<double>(const JacobiState<double> &);

} // namespace gridhelm::solvers::jacobi

constinit const gridhelm::solvers::PoissonMethod gridhelm::solvers::tunedJacobi{
    .family = &jacobiFamily,
    .name = "tuned",
    .summary = "blocked, vectorised and parallel",
    .purpose = "The one to begin with: Jacobi's iterates, in 2D and 3D, as fast as memory delivers "
               "values. Jacobi needs many iterations; red-black SOR needs far fewer.",
    .solves3D = true,
    .isDivisible = true,
    .reportsChange = true,
    .makeFloat = jacobi::make<float>,
    .makeDouble = jacobi::make<double>,
};
