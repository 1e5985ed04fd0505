// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/field_slice.h"
#include "ui/solve/run_update.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace gridhelm::ui {

/// What a solver's thread and the one that watches it share: commands one way, updates the other.
/// Held for moments only, so that neither side waits.
struct SolverMailbox
{
    struct Commands
    {
        std::optional<bool> isRunning;
        std::uint64_t steps = 0;
        bool stop = false;
        std::map<std::string, double> parameters;
        std::optional<solvers::SliceChoice> slice;
        std::vector<std::pair<std::string, std::optional<int>>> saves;

        bool isEmpty() const
        {
            return !isRunning && steps == 0 && !stop && parameters.empty() && !slice
                   && saves.empty();
        }
    };

    std::mutex mutex;
    std::condition_variable_any changed;
    Commands commands;
    std::atomic<bool> hasCommands = false;
    std::stop_source cutShort; ///< ends an advance() at once

    RunUpdate update;
    bool isAnnounced = false;
    std::function<void()> news;

    /// Changes the update and says so.
    template <typename Change>
    void publish(Change change)
    {
        const std::lock_guard lock(mutex);
        change(update);
        if (isAnnounced || !news)
            return;
        isAnnounced = true;
        news();
    }

    bool frameWasTaken()
    {
        const std::lock_guard lock(mutex);
        return !update.frame;
    }
};

} // namespace gridhelm::ui
