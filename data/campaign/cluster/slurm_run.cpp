// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/cluster/slurm_run.h"

namespace gridhelm::data {

Doubt conclude(SlurmRun &run, const RunSeen &seen)
{
    constexpr int patience = 2; // what is written there is not seen at once on every file system
    using Place = RunSeen::Place;
    run.isKnown = true;
    auto &state = run.status.state;
    if (hasEnded(state))
        return Doubt::none;
    if (seen.place == Place::claimed) {
        state = run.isCancelled ? RunState::cancelled : RunState::lost;
        return Doubt::none;
    }
    if (seen.place == Place::ended && seen.code) {
        state = RunState::running;
        return *seen.code == 0 ? Doubt::none : Doubt::howItFailed;
    }
    if (seen.isQueued) {
        state = seen.isPending ? RunState::queued : RunState::running;
        run.missed = 0;
        return Doubt::none;
    }
    if (seen.place == Place::nowhere || seen.place == Place::waits)
        return Doubt::whetherItStarts;
    state = RunState::running;
    return ++run.missed >= patience ? Doubt::howItFailed : Doubt::none;
}

} // namespace gridhelm::data
