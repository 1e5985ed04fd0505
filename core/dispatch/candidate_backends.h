// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dispatch/dispatcher.h"
#include "core/execution/fallback.h"

#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace gridhelm::dispatch {

/// Back ends for sparse grids, among which one is taken for each operation: the CPU's, which is the
/// first, and the dispatcher's further candidates, each made when it is needed; or one preferred,
/// with the CPU behind it. Thread-safe.
class CandidateBackends
{
public:
    CandidateBackends(std::shared_ptr<Dispatcher> dispatcher, const ExecutionContext &context);
    CandidateBackends(std::shared_ptr<const sparse::Backend> preferred,
                      const ExecutionContext &context);

    const ExecutionContext &context() const { return m_context; }

    /// Whether the operation and its size do not matter.
    bool isFixed() const { return !m_dispatcher; }
    bool isCpuAlone() const { return m_dispatcher && m_dispatcher->isCpuAlone(); }
    /// Of the further ones.
    std::vector<std::string> names() const;

    /// Index of the one to take.
    std::size_t choose(Operation operation, double size) const
    {
        return m_dispatcher ? m_dispatcher->fastest(operation, size, m_context) : preferred;
    }
    /// Throws gridhelm::Error if it cannot be had now.
    std::shared_ptr<const sparse::Backend> at(std::size_t candidate) const;

    /// work(candidate), or where that throws gridhelm::BackendError and the context allows it,
    /// work(0). Whether the first one did it.
    template <typename Work>
    bool attempt(std::size_t candidate, Work work) const
    {
        if (candidate != 0)
            return withFallback(
                m_context, nameOf(candidate), nameOf(0), [&] { work(candidate); },
                [&] { work(std::size_t{0}); });
        const auto begin = std::chrono::steady_clock::now();
        work(candidate);
        if (m_dispatcher)
            m_dispatcher->cpuWorked(
                std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
        return true;
    }

private:
    static constexpr std::size_t preferred = 1;

    std::string nameOf(std::size_t candidate) const;

    std::shared_ptr<Dispatcher> m_dispatcher; ///< null if one is preferred
    ExecutionContext m_context;
    mutable std::mutex m_mutex;
    mutable std::vector<std::shared_ptr<const sparse::Backend>> m_made; ///< null: not yet
};

} // namespace gridhelm::dispatch
