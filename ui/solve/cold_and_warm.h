// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/solve/run_update.h"
#include "ui/solve/solver_form.h"

#include <QString>

#include <optional>

namespace gridhelm::ui {

/// A warm run, and the cold one before it that shows what the start saves.
class ColdAndWarm
{
public:
    /// The run to begin with: the cold one if both are wanted, `startsPaused` being the warm one's.
    WantedRun first(WantedRun wanted, bool &startsPaused);
    struct Next
    {
        WantedRun run;
        bool startsPaused = false;
        RunState cold = {}; ///< at its end
    };
    /// Once, when the cold run has come to its end. If it was stopped or has failed, none comes.
    std::optional<Next> next(const RunState &state);
    /// From now on the warm run is asked about.
    void compareWith(const RunState &cold) { m_cold = cold; }

    /// "saved 120 of 200 iterations (60 %), ...", as soon as the warm run is at its end; empty
    /// before, or without a cold one.
    QString savedText(const RunState &state) const;

private:
    std::optional<Next> m_warm;
    std::optional<RunState> m_cold; ///< at its end
};

} // namespace gridhelm::ui
