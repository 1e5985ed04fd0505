// SPDX-License-Identifier: GPL-3.0-or-later
//
// How long a run of a solver goes on, and what changes on the way.
#pragma once

#include "core/solvers/stepper.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::solvers {

/// A figure of the report that may end a run.
enum class Quantity { residual, change, error };

std::string_view nameOf(Quantity quantity);
double valueOf(Quantity quantity, const StepReport &report);
/// Of the figure, in a few words: a line of the help, a tool tip.
constexpr std::string_view meaningOf(Quantity quantity)
{
    switch (quantity) {
    case Quantity::residual:
        return "what the values leave of the equation: 2-norm, relative to that at the (cold) start";
    case Quantity::change:
        return "largest change of a value in the last iteration or sweep";
    case Quantity::error:
        break;
    }
    return "largest difference to the known solution";
}

/// What is to end a run: the name of a Quantity, and how small it is to be.
struct TargetSetup
{
    std::string quantity;
    std::optional<std::string> value; ///< without one it is no target

    /// "residual=1e-6"
    static TargetSetup split(const std::string &text);
};

/// As it was asked for.
struct RunSetup
{
    std::optional<std::string> iterations;
    std::optional<TargetSetup> until;
    std::vector<std::string> changes; ///< "500:source-x=0.25"; named at
    std::optional<std::string> every;
    std::string prefix = "--"; ///< as in PoissonSetup
};

struct ScheduledChange
{
    std::uint64_t iteration = 0; ///< as soon as so many are done
    std::string parameter;       ///< of Stepper::liveParameters()
    double value = 0;
    bool changesSolution = true; ///< as LiveParameter has it
};

struct RunPlan
{
    struct Target
    {
        Quantity quantity = Quantity::residual;
        double value = 0;
    };

    std::string unit = "iterations";
    std::uint64_t most = 0; ///< iterations
    std::optional<Target> target;
    bool targetIsAsked = false;           ///< or else the method's own
    std::vector<ScheduledChange> changes; ///< by iteration
    /// The figures are computed every so many iterations; 0: as often as costs little, at numbers
    /// of iterations that are the same in every run.
    std::uint64_t every = 0;
    std::uint64_t granule = 1; ///< iterations that the method does at once
    /// Iterations without any progress towards the target that are no reason to give up.
    std::uint64_t patience = 1000;
    bool knownSurvivesChanges = false; ///< as in RunAbilities
    /// What to do where values grow beyond all numbers.
    std::string ifItDiverges = "choose smaller boundary values and sources, or double precision";
};

/// What a solver can be asked for.
struct RunAbilities
{
    std::string method; ///< for the sentences
    std::string unit = "iterations";
    std::vector<Quantity> quantities;
    std::vector<LiveParameter> parameters;
    bool rangesAreFixed = true;        ///< they do not depend on other parameters
    bool knownSurvivesChanges = false; ///< the known solution is one that the user has chosen
    std::uint64_t most = 1000;         ///< iterations, if neither a number nor a target is given
    std::optional<RunPlan::Target> target;
};

/// Throws gridhelm::Error for what the solver cannot do, or what would never happen.
RunPlan runPlan(const RunSetup &setup, const RunAbilities &abilities);

/// Whether one of the plan's changes makes another problem of it.
bool changesSolution(const RunPlan &plan);

} // namespace gridhelm::solvers
