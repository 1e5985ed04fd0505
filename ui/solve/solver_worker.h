// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/field_slice.h"
#include "core/solvers/run/solver_case.h"
#include "ui/machine/background_thread.h"
#include "ui/solve/run_update.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace gridhelm::ui {

struct SolverMailbox;

struct RunRequest
{
    std::function<solvers::SolverCase(const std::stop_token &)>
        makeCase; ///< called by the worker; may throw
    bool pin = false;
    bool staysLive = true; ///< it settles instead of finishing when the target is reached
    bool startsPaused = false;
    solvers::SliceChoice slice;
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
    template <typename Change>
    void ask(Change change);

    std::shared_ptr<SolverMailbox> m_mailbox;
    std::unique_ptr<BackgroundThread> m_thread;
};

} // namespace gridhelm::ui
