// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs of a campaign that are calls of a Python function.
#pragma once

#include "data/campaign/job_runner.h"

#include <nanobind/nanobind.h>

#include <memory>

namespace gridhelm::python {

/// An object of Python that any thread may let go of, and call. Copies share it.
class Callable
{
public:
    /// With the interpreter's lock.
    explicit Callable(nanobind::object object);

    /// With the interpreter's lock.
    const nanobind::object &object() const { return *m_object; }

private:
    std::shared_ptr<nanobind::object> m_object;
};

/// `call` makes one run, from any of several threads at once:
///
///     call(name, parameters, times, is_cancelled) -> (state, log, mesh, fields, snapshots)
///
/// state: "finished", "failed" or "cancelled"; mesh: (kind, bytes, points, cells); fields: (name,
/// unit, components, "point", entities) each; snapshots: of each time an array of float64 for each
/// field. It does not raise: what it raises is a failure, too.
std::unique_ptr<data::JobRunner> makePythonRunner(const Callable &call);

} // namespace gridhelm::python
