// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a command computes with, as --threads, --devices and --backend say.
#pragma once

#include "app/cli/commands.h"
#include "core/dispatch/dispatcher.h"
#include "core/execution/execution_context.h"
#include "core/solvers/solver_backend.h"
#include "core/sparse/backend.h"

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <vector>

namespace gridhelm::cli {

/// One for the whole program: its events go to stderr, and to executionJson(). Throws Error, as all
/// below, for options that cannot be, and for a team of several devices.
const ExecutionContext &executionContext(const GlobalOptions &global);
/// The same for commands that hand a team, or ranks, on to what refuses them where it must.
const ExecutionContext &teamContext(const GlobalOptions &global);

/// Of a step of a study.
struct StudyDevices
{
    ExecutionContext context;                       ///< whose CPU does what cannot be divided
    std::shared_ptr<const sparse::Backend> backend; ///< for the rest; null: that CPU, too
};
/// Those that --devices names, one or several; the user is told what they do not do.
StudyDevices studyDevices(const GlobalOptions &global);
/// Of questions to a study's responses, which are the CPU's alone; who names other devices or a
/// back end is told.
ExecutionContext answersContext(const GlobalOptions &global);
/// Of Sobol' maps, the one answer that a GPU can give.
struct MapExecution
{
    ExecutionContext context;
    bool isGpuAskedFor = false; ///< else it is used where it pays
};
/// Tells the user what several devices do not do. Throws gridhelm::Error for a GPU that is not
/// there, and for a back end and devices that do not go together.
MapExecution mapExecution(const GlobalOptions &global);
/// Of a command that the CPU has had a part in: it reads and writes.
ComputedOn withCpu(ComputedOn where);

/// The same with any fallback forbidden, and with the compiled-in constants: what is measured is
/// what is named.
ExecutionContext benchContext(const GlobalOptions &global);

/// --threads, with the number of the machine's threads for 0.
int threadCount(const GlobalOptions &global);

/// Who decides for "auto", in the whole program.
const std::shared_ptr<dispatch::Dispatcher> &dispatcher(const GlobalOptions &global);

/// The back end that --backend names; of a team, if --devices names one.
std::shared_ptr<const sparse::Backend> makeBackend(const GlobalOptions &global);

/// That of the solvers.
const solvers::SolverBackend &solverBackend(const GlobalOptions &global);

/// {"backend": as asked for, "threads": of the CPU, "computed_on": ["gpu:0"], "events": what the
/// user was told on the way}, and of a team "devices": ["cpu.0/2", "cpu.1/2"]: part of the JSON of
/// everything that computes.
nlohmann::json executionJson(const GlobalOptions &global, ComputedOn where);

/// Of the ranks, which share a grid: [{"host": "node1", "devices": ["cpu"], "threads": 2, "begin":
/// 0, "end": 128}], rows or planes begin .. end - 1. Collective.
nlohmann::json ranksJson(const ExecutionContext &context, const std::vector<DeviceShare> &shares);

} // namespace gridhelm::cli
