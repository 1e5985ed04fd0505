// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/device.h"

#include <cstddef>
#include <exception>

namespace gridhelm {

/// body(i) for 0 <= i < count, on the OpenMP threads of `cpu`, `chunk` neighbours at a time to
/// whichever thread is free. The first exception of a body is thrown here, after all have ended:
/// none may cross an OpenMP region.
template <typename Body>
void parallelFor(std::size_t count, const CpuDevice &cpu, std::size_t chunk, Body body)
{
    if (cpu.threads <= 1 || count <= chunk) {
        for (std::size_t i = 0; i < count; ++i)
            body(i);
        return;
    }
    std::exception_ptr exception;
#pragma omp parallel for schedule(dynamic, chunk) num_threads(cpu.threads)
    for (std::size_t i = 0; i < count; ++i) {
        try {
            body(i);
        } catch (...) {
#pragma omp critical(gridhelm_parallel_for)
            if (!exception)
                exception = std::current_exception();
        }
    }
    if (exception)
        std::rethrow_exception(exception);
}

} // namespace gridhelm
