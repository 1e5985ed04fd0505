// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs of a campaign that are calls of a Python function in processes of our own. Between a call
// and what is stored of it, nothing of Python's runs here: no interpreter's lock is waited for.
#pragma once

#include "app/python/python_runner.h"
#include "data/campaign/job_runner.h"

#include <functional>
#include <memory>

namespace gridhelm::python {

/// Makes runners that share these processes, one after the other. Without the
/// interpreter's lock.
///
/// `processes` has
///
///     calls, queue           both ends of a socket of messages: any idle process takes the next
///     slots                  a buffer of two int64 for each process: which call it is at (-1:
///                            none), and since when, in nanoseconds of the monotonic clock
///     timeout                seconds of a call, or None
///     streams                [(stream of its answers, pid)] of each process
///     begin(k) -> (stream, pid)
///     ended(k) -> text       how a process has ended, which has
///
/// `accept(JSON, times) -> (mesh, fields)` looks at the arrays of a form that has not come before,
/// [[name, shape], ...]; ValueError: they cannot be stored, as it says.
std::function<std::unique_ptr<data::JobRunner>()> processRunners(const Callable &processes,
                                                                 const Callable &accept);

} // namespace gridhelm::python
