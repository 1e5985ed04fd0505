// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace gridhelm {

/// A thread for each of several devices that work beside each other, from construction to
/// destruction: OpenMP keeps a team of its own for each of them. One thread at a time calls it.
class Crew
{
public:
    explicit Crew(std::size_t members);
    ~Crew();
    Crew(const Crew &) = delete;
    Crew &operator=(const Crew &) = delete;

    /// body(member) on every member's thread, at the same time; returns when all have ended.
    /// Members may wait for each other, then none may throw; otherwise the first exception is
    /// thrown here.
    void run(const std::function<void(std::size_t)> &body);

private:
    void serve(std::size_t member);

    std::mutex m_mutex;
    std::condition_variable m_begins, m_ends;
    const std::function<void(std::size_t)> *m_body = nullptr; ///< null: the crew is dismissed
    std::uint64_t m_runs = 0;
    std::size_t m_atWork = 0;
    std::exception_ptr m_exception;
    std::vector<std::thread> m_threads;
};

} // namespace gridhelm
