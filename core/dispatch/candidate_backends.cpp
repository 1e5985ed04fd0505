// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dispatch/candidate_backends.h"

#include <utility>

namespace gridhelm::dispatch {

CandidateBackends::CandidateBackends(std::shared_ptr<Dispatcher> dispatcher,
                                     const ExecutionContext &context)
    : m_dispatcher(std::move(dispatcher))
    , m_context(context)
    , m_made{sparse::makeOmpBackend(context)}
{
}

CandidateBackends::CandidateBackends(std::shared_ptr<const sparse::Backend> preferredOne,
                                     const ExecutionContext &context)
    : m_context(context)
    , m_made{sparse::makeOmpBackend(context), std::move(preferredOne)}
{
}

std::string CandidateBackends::nameOf(std::size_t candidate) const
{
    return m_dispatcher ? m_dispatcher->candidates().at(candidate).name
                        : std::string(m_made.at(candidate)->name());
}

std::vector<std::string> CandidateBackends::names() const
{
    std::vector<std::string> names;
    const auto count = m_dispatcher ? m_dispatcher->candidates().size() : m_made.size();
    for (std::size_t i = 1; i < count; ++i)
        names.push_back(nameOf(i));
    return names;
}

std::shared_ptr<const sparse::Backend> CandidateBackends::at(std::size_t candidate) const
{
    const std::lock_guard lock(m_mutex);
    if (candidate >= m_made.size())
        m_made.resize(candidate + 1);
    auto &backend = m_made[candidate];
    if (!backend)
        backend = m_dispatcher->candidates().at(candidate).makeSparse(m_context);
    return backend;
}

} // namespace gridhelm::dispatch
