// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/signals.h"

namespace gridhelm::python {

bool Signals::haveCome()
{
    if (m_error)
        return true;
    constexpr std::chrono::milliseconds pause{30};
    const auto now = Clock::now();
    if (now - m_asked < pause)
        return false;
    m_asked = now;
    const nanobind::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0)
        m_error.emplace();
    return m_error.has_value();
}

void Signals::rethrow()
{
    if (m_error)
        throw nanobind::python_error(*m_error);
}

} // namespace gridhelm::python
