// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <optional>

namespace gridhelm::python {

/// Ctrl+C while the interpreter's lock is released. Of the thread that was called by Python.
class Signals
{
public:
    /// Whether something has come up that Python is to be told (KeyboardInterrupt, or whatever its
    /// handlers raise). Asks now and then only, so that it can be asked all the time; without the
    /// interpreter's lock.
    bool haveCome();
    /// With the lock: throws that; nothing happens if nothing has come.
    void rethrow();

private:
    using Clock = std::chrono::steady_clock;

    Clock::time_point m_asked = Clock::now();
    std::optional<nanobind::python_error> m_error;
};

} // namespace gridhelm::python
