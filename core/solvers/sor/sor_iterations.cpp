// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/sor/sor_iterations.h"

#include "core/solvers/sor/sor_options.h"

#include <utility>
#include <variant>
#include <vector>

namespace gridhelm::solvers {

template <typename T>
SorIterations<T>::SorIterations(const PoissonProblem &problem, const OptionValues &options,
                                std::unique_ptr<SorSweeper<T>> sweeper)
    : m_sweeper(std::move(sweeper))
    , m_relaxation(std::get<double>(*options.find(relaxationOption)))
{
    m_sweeper->setSides(problem.sides);
    if (problem.initialGuess)
        m_sweeper->setValues(*problem.initialGuess);
    else if (!m_sweeper->beginsWithZeros())
        m_sweeper->setValues(std::vector<double>(problem.count()));
    loadSource(problem);
}

template <typename T>
Advance SorIterations<T>::advance(std::uint64_t iterations, const std::stop_token &stop)
{
    return {m_sweeper->sweep(iterations, static_cast<T>(m_relaxation), stop)};
}

template <typename T>
void SorIterations<T>::copyValues(std::span<T> values) const
{
    m_sweeper->copyValues(values);
}

template <typename T>
void SorIterations<T>::setParameters(const PoissonProblem &problem)
{
    m_sweeper->setSides(problem.sides);
    const auto *spike = std::get_if<SpikeSource>(&problem.source);
    if (spike != nullptr && m_spike != *spike)
        loadSource(problem);
}

template <typename T>
void SorIterations<T>::setOption(const Option &, double value)
{
    m_relaxation = value; // the only live one
}

template <typename T>
double SorIterations<T>::scaledResidual() const
{
    return m_sweeper->scaledResidualNorm();
}

template <typename T>
void SorIterations<T>::loadSource(const PoissonProblem &problem)
{
    if (const auto *spike = std::get_if<SpikeSource>(&problem.source))
        m_spike = *spike;
    auto source = sampleSource(problem);
    for (double &f : source)
        f *= problem.spacing * problem.spacing;
    if (!source.empty())
        m_sweeper->setScaledSource(source);
}

template class SorIterations<float>;
template class SorIterations<double>;

} // namespace gridhelm::solvers
