// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/field_slice.h"
#include "core/solvers/run/planned_run.h"
#include "core/solvers/run/solver_case.h"
#include "core/solvers/stepper.h"
#include "ui/machine/background_thread.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gridhelm::ui {

enum class RunPhase {
    preparing, ///< files are read, memory is allocated
    running,
    paused,
    settled,   ///< it is where it should be, and goes on when a parameter changes
    finished,  ///< as planned
    cancelled, ///< by the user
    failed,    ///< see the message
};

/// Nothing comes after it.
bool isOver(RunPhase phase);

struct RunRequest
{
    std::function<solvers::SolverCase()> makeCase; ///< called by the worker; may throw
    bool pin = false;
    bool staysLive = true; ///< it settles instead of finishing when the target is reached
    bool startsPaused = false;
    solvers::SliceChoice slice;
};

/// Amounts per second of the recent past.
struct RunRates
{
    double iterations = 0;
    double flops = 0;
    double bytes = 0;
};

/// A plane of the field, with what a view needs to know of it.
struct SliceFrame
{
    solvers::Slice slice;
    double lowest = 0, highest = 0; ///< finite values; 0 if there are none
    double wholeHighest = 0;        ///< of the whole field, if it is folded into layers
    std::uint64_t iterations = 0;
    std::array<std::size_t, 3> points{1, 1, 1}; ///< of the whole field
};

struct RunState
{
    RunPhase phase = RunPhase::preparing;
    std::string message; ///< why it is over or settled
    std::string method;  ///< of the stepper
    std::string unit = "iterations";
    std::string fieldName;
    std::size_t unknowns = 0;
    int threads = 1; ///< of the CPU; 0: it only waits
    solvers::StepReport report;
    RunRates rates;
    std::vector<solvers::LiveParameter> parameters;
};

/// What has happened since one last asked.
struct RunUpdate
{
    RunState state;
    std::vector<solvers::StepReport> history; ///< only what is new
    std::shared_ptr<const SliceFrame> frame;  ///< null: as before
    std::vector<std::string> complaints;      ///< about live parameters and files
    std::vector<std::string> savedFiles;
};

/// Runs a solver in a thread of its own. All functions return at once; what they ask for is done
/// between two chunks of some 30 ms (or one iteration, if that is longer).
class SolverWorker
{
public:
    /// `news` is called by the worker's thread when there is an update, and not again before that
    /// has been taken; never after the destructor.
    SolverWorker(RunRequest request, std::function<void()> news);
    ~SolverWorker();

    void run();
    void pause();
    /// So many iterations, then a pause.
    void step(std::uint64_t iterations);
    /// Ends the run; its field can still be looked at and saved.
    void stop();
    /// The newest value of each parameter counts.
    void setLiveParameter(const std::string &name, double value);
    void showSlice(const solvers::SliceChoice &slice);
    void save(const std::string &path, std::optional<int> layers);

    RunUpdate takeUpdate();

private:
    struct Shared;
    class Loop;

    template <typename Change>
    void ask(Change change);

    std::shared_ptr<Shared> m_shared;
    std::unique_ptr<BackgroundThread> m_thread;
};

} // namespace gridhelm::ui
