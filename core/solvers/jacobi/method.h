// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/jacobi/iterations.h"
#include "core/solvers/jacobi/jacobi_state.h"
#include "core/solvers/jacobi/tuned_update.h"
#include "core/solvers/padded_residual.h"

#include <cstdint>
#include <memory>
#include <utility>

namespace gridhelm::solvers::jacobi {

/// One way to do Jacobi iterations, on the CPU.
template <typename T>
class Method
{
public:
    virtual ~Method() = default;

    using Pass = jacobi::Pass;

    /// As Iterations::pass().
    virtual Pass pass(JacobiState<T> &state, std::uint64_t most) = 0;
};

/// A state, and the method that advances it.
template <typename T>
class CpuIterations final : public Iterations<T>
{
public:
    /// make(state) is the method.
    template <typename Maker>
    CpuIterations(const PoissonProblem &problem, const CpuDevice &cpu, const Maker &make)
        : m_state(problem, cpu)
        , m_method(make(std::as_const(m_state)))
    {
    }

    Pass pass(std::uint64_t most) override { return m_method->pass(m_state, most); }

    void copyValues(std::span<T> values) const override { m_state.present.copyTo(values); }

    void setParameters(const PoissonProblem &problem) override { m_state.setParameters(problem); }

    double scaledResidual() const override
    {
        return scaledResidualNorm(m_state.present, m_state.source, m_state.cpu);
    }

private:
    JacobiState<T> m_state;
    std::unique_ptr<Method<T>> m_method;
};

/// What the other methods use, too.
template <typename T>
std::unique_ptr<Method<T>> makeTuned(const JacobiState<T> &state,
                                     const TunedConstants &constants = {});

} // namespace gridhelm::solvers::jacobi
