// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/seconds_line.h"

#include <cstddef>
#include <functional>
#include <optional>

namespace gridhelm::sparse {

/// How a device and its helper share work of one kind that comes again and again, so that they end
/// together. Their lines (SecondsLine) are measured once, with the work that comes, at two sizes;
/// then each time that they take corrects them. Where both together are not faster than the first
/// one alone, it does all of it; every now and then the other way is tried again.
class LearntSplit
{
public:
    /// Does some of the items, the first ones or (helper) the last; returns the seconds it took.
    using Work = std::function<double(std::size_t items)>;
    /// Both at the same time: the seconds of each, and how many items the helper has done.
    struct Both
    {
        double first = 0, helper = 0;
        std::size_t ofHelper = 0;
    };
    using WorkTogether = std::function<Both(std::size_t ofHelper)>;

    /// All items, by whichever of them: the first calls do them by `first` alone; one of them
    /// measures, and does some of them twice. What throws changes nothing.
    void run(std::size_t items, const Work &first, const Work &helper,
             const WorkTogether &together);

    /// What the next call would leave to the helper.
    std::size_t ofHelper(std::size_t items) const;

private:
    static constexpr int shortestPause = 8, rarely = 64;

    struct Lines
    {
        SecondsLine alone;  ///< the first one, with nothing beside it
        SecondsLine first;  ///< beside the helper
        SecondsLine helper; ///< beside the first one
    };
    void measure(std::size_t items, const Work &first, const Work &helper);
    std::size_t trialShare(std::size_t items) const;
    void doTogether(std::size_t items, std::size_t ofHelper, const WorkTogether &together);
    void pause();

    std::optional<Lines> m_lines;
    int m_callsBefore = 0; ///< that were not measured
    int m_losses = 0;      ///< together, in a row
    int m_pause = 0;       ///< calls until both are tried again
    int m_nextPause = shortestPause;
    bool m_isTrial = false;         ///< the next call is one together, whatever the lines say
    int m_callsUntilAlone = rarely; ///< calls together until the first one does all again
    int m_aloneEvery = rarely;
};

} // namespace gridhelm::sparse
