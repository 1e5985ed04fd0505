// SPDX-License-Identifier: GPL-3.0-or-later
//
// Campaigns that go where the error is: blocks are chosen, run, compressed and judged, until the
// error, the number of runs or the time is reached (docs/theory/adaptive-grids.md).
#pragma once

#include "data/campaign/campaign_steps.h"
#include "data/study/mesh_region.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::data {

/// At least one of runs, until and hours is to be given.
struct RefineStep
{
    std::optional<std::uint64_t> runs = std::nullopt; ///< at most so many more, hold-outs included
    std::optional<double> until = std::nullopt; ///< error relative to the field, of all fields
    std::optional<double> hours = std::nullopt; ///< wall time
    std::string field;                          ///< the only one whose error counts; empty: all do
    /// Values of all parameters, NaN for those that do not matter: only the error there counts, and
    /// no hold-outs are made to confirm it. Empty: it counts everywhere.
    std::vector<double> at;
    /// Only the error there counts, and no hold-outs are made to confirm it; none: all of the mesh.
    std::optional<MeshRegion> region = std::nullopt;
    /// What fields are evaluated by from now on; none: what they are, but that it is chosen in a
    /// study of an adaptive plan that is refined for the first time. Where it is chosen, runs are
    /// made off the grid as well (docs/theory/designs.md).
    std::optional<SurrogateKind> surrogate = std::nullopt;
    int jobs = 1; ///< at a time
    /// The number of jobs at a time is of no account for what is chosen.
    bool isDeterministic = false;
    bool keepGoing = false;   ///< see CampaignOptions
    bool retryFailed = false; ///< those that have failed before are run again at first
    std::size_t holdOuts = 0; ///< that there shall be in the end; with `until` fresh ones
    ExecutionContext context{CpuDevice{}};
    std::shared_ptr<const sparse::Backend> backend = nullptr; ///< see CompressStep
};

/// Why it ended.
enum class RefineEnd : std::uint8_t {
    reached,   ///< the wished error, measured at fresh hold-outs if there are any
    runs,      ///< they are spent
    time,      ///< it is over
    noise,     ///< the estimate has stopped falling
    exhausted, ///< nothing is left that could be added
    failures,  ///< the first runs have failed alike, see CampaignReport::stopped
    cancelled, ///< or paused
};
/// In JSON and for Python: "reached", "runs", ...
std::string_view nameOf(RefineEnd end);

struct RefineReport
{
    RefineEnd end = RefineEnd::runs;
    std::string on;            ///< see CampaignReport::on
    std::uint64_t runs = 0;    ///< finished by this step, hold-outs included
    std::uint64_t failed = 0;  ///< of those begun
    std::uint64_t blocks = 0;  ///< added to the grid
    std::uint64_t offGrid = 0; ///< runs that were chosen at places off it
    /// Of the error that was left, relative, of the worst field; none if nothing was known of it.
    std::optional<double> estimate;
    std::optional<double> measured; ///< at hold-outs inside of the ranges: root mean square
    CampaignReport failures;        ///< of the batch that ended it, for RefineEnd::failures
    std::string exhaustion;         ///< what is, for RefineEnd::exhausted
    CompressStepReport compress;    ///< of the last step
};

/// A study of scattered runs whose plan has a simulation gets more of them, at places that fill the
/// space (planPlaces()), and its kriging is made again; what its plan asks for comes first.
///
/// Jobs that wait already run first. What ends it early leaves a study in order, which another call
/// goes on with. Throws gridhelm::Error for studies that cannot be refined (requireRefinable()),
/// that have no simulation, for a wished error that float32 snapshots cannot show (below 1e-6), and
/// for budgets that are none; as runStep() does for commands.
RefineReport refineStep(StudyWriter &writer, const RefineStep &step, const StepControl &control);

struct SuggestReport
{
    std::uint64_t runs = 0;                  ///< that were added
    std::vector<std::uint64_t> points;       ///< of the grid, which wait for results: of these runs
    std::vector<std::vector<double>> places; ///< off the grid: values of all parameters
    double estimate = 0;                     ///< of the error without them
    bool cancelled = false;
    ComputedOn computedOn{};
};

/// For runs that are made elsewhere, and imported: adds the blocks that refineStep() would add
/// next to the study's grid, and plans the places off it, at most `runs` together; of `step` only
/// runs, field, at, region and surrogate count. Throws as refineStep() does, without a field, and
/// as long as jobs wait for results.
SuggestReport suggestStep(StudyWriter &writer, const RefineStep &step, const StepControl &control);

/// "the error is 0.42 % by estimate, after 145 runs", and why it ended there.
std::string refineText(const RefineReport &report, const RefineStep &step);

} // namespace gridhelm::data
