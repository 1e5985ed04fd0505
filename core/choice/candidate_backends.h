// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/choice/backend_choice.h"
#include "core/support/error.h"

#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace gridhelm::choice {

/// The candidates' back ends for sparse grids, each made when it is needed. Thread-safe.
class CandidateBackends
{
public:
    CandidateBackends(std::shared_ptr<BackendChoice> choice, int threads);

    int threads() const { return m_threads; }
    BackendChoice &choice() const { return *m_choice; }

    std::size_t fastest(Operation operation, double size) const
    {
        return m_choice->fastest(operation, size, m_threads);
    }
    /// Throws gridhelm::Error if it cannot be had now.
    std::shared_ptr<const sparse::Backend> at(std::size_t candidate) const;

    /// work(candidate), or where that throws gridhelm::Error, work(0). Whether the first one did
    /// it.
    template <typename Work>
    bool attempt(std::size_t candidate, Work work) const
    {
        if (candidate != 0) {
            std::string problem;
            try {
                work(candidate);
                return true;
            } catch (const Error &error) {
                problem = error.what();
            }
            work(std::size_t{0}); // throws the same if the arguments were wrong
            sayThatItFailed(candidate, problem);
            return false;
        }
        const auto begin = std::chrono::steady_clock::now();
        work(candidate);
        m_choice->processorWorked(
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
        return true;
    }

private:
    void sayThatItFailed(std::size_t candidate, const std::string &problem) const;

    std::shared_ptr<BackendChoice> m_choice;
    int m_threads;
    mutable std::mutex m_mutex;
    mutable std::vector<std::shared_ptr<const sparse::Backend>> m_made; ///< null: not yet
};

} // namespace gridhelm::choice
