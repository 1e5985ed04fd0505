// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/execution/crew.h"

#include <utility>

namespace gridhelm {

Crew::Crew(std::size_t members)
{
    for (std::size_t member = 0; member < members; ++member)
        m_threads.emplace_back([this, member] { serve(member); });
}

Crew::~Crew()
{
    {
        const std::lock_guard lock(m_mutex);
        m_body = nullptr;
        ++m_runs;
    }
    m_begins.notify_all();
    for (auto &thread : m_threads)
        thread.join();
}

void Crew::run(const std::function<void(std::size_t)> &body)
{
    std::unique_lock lock(m_mutex);
    m_body = &body;
    m_atWork = m_threads.size();
    ++m_runs;
    m_begins.notify_all();
    m_ends.wait(lock, [this] { return m_atWork == 0; });
    if (auto exception = std::exchange(m_exception, nullptr))
        std::rethrow_exception(exception);
}

void Crew::serve(std::size_t member)
{
    std::uint64_t done = 0;
    for (;;) {
        std::unique_lock lock(m_mutex);
        m_begins.wait(lock, [&] { return m_runs != done; });
        done = m_runs;
        const auto *body = m_body;
        lock.unlock();
        if (body == nullptr)
            return;
        std::exception_ptr exception;
        try {
            (*body)(member);
        } catch (...) {
            exception = std::current_exception();
        }
        lock.lock();
        if (exception && !m_exception)
            m_exception = exception;
        if (--m_atWork == 0)
            m_ends.notify_one();
    }
}

} // namespace gridhelm
