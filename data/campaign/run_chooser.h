// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a refinement does to its study between two batches of runs. Private to data.
#pragma once

#include "data/campaign/surrogate_step.h"
#include "data/study/study_types.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gridhelm::data {

/// Runs that were added to a study, and wait.
struct AddedRuns
{
    std::uint64_t blocks = 0;  ///< of the grid
    std::uint64_t offGrid = 0; ///< runs

    bool isAny() const { return blocks > 0 || offGrid > 0; }
};

class RunChooser
{
public:
    virtual ~RunChooser() = default;

    /// The fields whose errors count.
    virtual const std::vector<FieldIndex> &fields() const = 0;
    /// What all fields are evaluated by, in the end.
    virtual const std::vector<FieldMeans> &means() const = 0;

    /// Brings surrogates, and what is known of their errors, up to date with what has come. False
    /// if it was stopped.
    virtual bool update() = 0;

    /// Of the errors of fields() that are left, relative to the field; none: not known.
    virtual std::vector<std::optional<double>> estimates() const = 0;
    /// As what estimates are remembered.
    virtual HistoryKind kindOfEstimate() const = 0;

    /// Adds the next runs, `wanted` or a few more, `most` at most.
    virtual AddedRuns add(std::uint64_t wanted, std::uint64_t most) = 0;
    /// Why none could be added, however many were granted; empty: some could.
    virtual std::string exhaustion() const = 0;
};

} // namespace gridhelm::data
