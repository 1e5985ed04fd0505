// SPDX-License-Identifier: GPL-3.0-or-later
//
// Kriging of several outputs, e.g. the coefficients of a field's modes: what is chosen by which
// error, and from which runs (docs/theory/surrogates.md).
#pragma once

#include "core/execution/execution_context.h"
#include "core/kriging/fit_watch.h"
#include "core/kriging/model.h"
#include "core/kriging/runs.h"

#include <cstddef>
#include <vector>

namespace gridhelm::kriging {

/// Whether something is used: never, always, or where the leave-one-out error says so.
enum class Use { never, always, chosen };

struct FitOptions
{
    /// One of them is chosen by the leave-one-out error; at least one.
    std::vector<Smoothness> smoothnesses{Smoothness::matern32, Smoothness::matern52,
                                         Smoothness::matern92, Smoothness::gaussian};
    /// In all parameters that vary. It is chosen from with three runs for each of its terms;
    /// `always` is an error where the runs do not determine it.
    Use linearMean = Use::chosen;
    Use warping = Use::chosen; ///< with five runs a parameter, where it lowers the error by a sixth

    std::size_t leading = 3;      ///< outputs that share a first fit of all forms
    std::size_t refined = 20;     ///< outputs with hyperparameters of their own
    std::size_t sharedGroups = 3; ///< groups that all others share them in, at most
    /// Outputs that choose a form, or two, by themselves, if they carry error; 0: none, the leading
    /// outputs choose for all.
    std::size_t mixed = 60;
    std::size_t hyperparameterRuns = 500; ///< from at most so many (spreadSubset)

    FitWatch::Tell progress = {};
};

/// A form, fitted to the leading outputs.
struct Candidate
{
    Form form;
    Hyperparameters hyperparameters;
    double negativeLogLikelihood = 0;
    /// Root of the mean square, over the leading outputs and the runs that hyperparameters are
    /// fitted to, relative to the same of the values less their mean; a few runs' worth of luck is
    /// in the smallest of them.
    double leaveOneOut = 0;
};

struct Fit
{
    Model model;
    /// runs x outputs: each value less what all other runs predict with the same hyperparameters,
    /// surrogates.md, eq:kriging-left-out.
    std::vector<double> leaveOneOut;
    std::vector<Candidate> candidates; ///< the forms that were tried
    long evaluations = 0;              ///< of likelihoods
};

/// Fits, with the threads of the context; the result does not depend on their number. Outputs come
/// in the order of their importance. Throws gridhelm::Error for runs that are not usable
/// (requireUsable), for options that leave no choice, and if no form can be fitted; FitStopped.
Fit fit(const Runs &runs, const FitOptions &options, const ExecutionContext &context);

/// What is known of a group before it is solved: see OutputGroup.
struct Component
{
    Form form;
    Hyperparameters hyperparameters;
    std::size_t first = 0, outputs = 1;
    double share = 1;
};
std::vector<Component> componentsOf(const Model &model);

/// The model with hyperparameters that are known: a group for each component. Throws
/// gridhelm::Error if the groups leave outputs out or have others, if a mean is not determined by
/// the runs, or correlations are singular to round-off, as for two runs at one place without a
/// nugget; FitStopped.
Fit fitWith(const Runs &runs, const std::vector<Component> &components,
            const ExecutionContext &context, const FitWatch::Tell &progress = {});

} // namespace gridhelm::kriging
