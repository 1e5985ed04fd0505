// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/choice/candidate_backends.h"

#include <utility>

namespace gridhelm::choice {

CandidateBackends::CandidateBackends(std::shared_ptr<BackendChoice> choice, int threads)
    : m_choice(std::move(choice))
    , m_threads(threads)
{
    m_made.push_back(processorCandidate().makeSparse(threads));
}

std::shared_ptr<const sparse::Backend> CandidateBackends::at(std::size_t candidate) const
{
    const std::lock_guard lock(m_mutex);
    if (candidate >= m_made.size())
        m_made.resize(candidate + 1);
    auto &backend = m_made[candidate];
    if (!backend)
        backend = m_choice->candidates().at(candidate).makeSparse(m_threads);
    return backend;
}

void CandidateBackends::sayThatItFailed(std::size_t candidate, const std::string &problem) const
{
    const auto &candidates = m_choice->candidates();
    m_choice->say(
        sentenceOnRelief(candidates.at(candidate).name, candidates.front().name, problem));
}

} // namespace gridhelm::choice
