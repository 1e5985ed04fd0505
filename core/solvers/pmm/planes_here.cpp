// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/pmm/planes_here.h"

#include <utility>

namespace gridhelm::solvers {

template <typename T>
PlanesHere<T>::PlanesHere(const PmmRun &run)
    : m_run(run)
{
}

template <typename T>
PlanesHere<T>::PlanesHere(const PmmRun &run, std::shared_ptr<Ranks> ranks, std::vector<Slab> slabs)
    : m_run(run)
    , m_ranks(std::in_place, std::move(ranks), std::move(slabs))
{
}

template <typename T>
Slab PlanesHere<T>::slab() const
{
    const auto planes = m_run.problem().nodes[2];
    return m_ranks ? m_ranks->here() : Slab{0, planes, planes};
}

template <typename T>
std::size_t PlanesHere<T>::nodesOfPlane() const
{
    return m_run.problem().nodes[0] * m_run.problem().nodes[1];
}

template <typename T>
FieldView PlanesHere<T>::field(std::span<const T> times) const
{
    const auto &problem = m_run.problem();
    if (m_ranks) {
        m_gathered.resize(m_ranks->ranks().isFirst() ? problem.count() : 0);
        m_ranks->gatherForFirst(times, std::span(m_gathered), nodesOfPlane());
        times = m_gathered;
    }
    return {problem.nodes, problem.origin, problem.spacing, times};
}

template <typename T>
FieldPart PlanesHere<T>::part(std::span<const T> times) const
{
    const auto &problem = m_run.problem();
    auto points = problem.nodes;
    points[2] = slab().size();
    return {
        {points, problem.origin, problem.spacing, times}, 2, slab(), m_ranks ? &*m_ranks : nullptr};
}

template <typename T>
double PlanesHere<T>::largestError(std::span<const T> times) const
{
    return largest(solvers::largestError(m_run.problem(), times, slab().begin));
}

template <typename T>
double PlanesHere<T>::largest(double here) const
{
    return m_ranks ? largestOfAll(m_ranks->ranks(), here) : here;
}

template class PlanesHere<float>;
template class PlanesHere<double>;

} // namespace gridhelm::solvers
