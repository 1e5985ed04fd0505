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
    Tuned(const JacobiState<T> &state, const TunedConstants &constants)
        : m_update(state, constants)
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
std::unique_ptr<PoissonIterations<T>> makeTunedIterations(const PoissonProblem &problem,
                                                          const OptionValues &,
                                                          const ExecutionContext &context)
{
    if (context.sharesWork())
        return std::make_unique<DividedIterations<T>>(makeCpuShares<T>(problem, context, 1));
    const TunedConstants constants(context.tuning(), sizeof(T), problem);
    return std::make_unique<CpuIterations<T>>(
        problem, context.cpu(),
        [&](const JacobiState<T> &state) { return makeTuned(state, constants); });
}

} // namespace

template <typename T>
std::unique_ptr<Method<T>> makeTuned(const JacobiState<T> &state, const TunedConstants &constants)
{
    return std::make_unique<Tuned<T>>(state, constants);
}

template std::unique_ptr<Method<float>> makeTuned<float>(const JacobiState<float> &,
                                                         const TunedConstants &);
template std::unique_ptr<Method<double>> makeTuned<double>(const JacobiState<double> &,
                                                           const TunedConstants &);

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
    .makeFloat = jacobi::makeTunedIterations<float>,
    .makeDouble = jacobi::makeTunedIterations<double>,
};
