// SPDX-License-Identifier: GPL-3.0-or-later
//
// Errors you can trust, measured and stored with the study.
#pragma once

#include "core/execution/computed_on.h"
#include "core/execution/execution_context.h"
#include "core/sparse/backend.h"
#include "data/study/study_writer.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace gridhelm::data {

struct Measured
{
    std::vector<ErrorFigure> figures;
    std::vector<FieldBand> bands; ///< of fields that have hold-outs inside of the ranges
    ComputedOn computedOn{};
};

/// For every field: the error and the indicator at every hold-out snapshot (on a background grid:
/// over the nodes at which the body is, in truth and as evaluated; in scalar studies: over
/// all places in space of a run, with the worst of them in the figure's parameters); for vector
/// studies also the leave-one-out errors of every run in a block that has none above it in the
/// dimensions that cost runs, at its point, or at five times where time is dense (relative to the
/// snapshot where it is still there, else to the surrogate; error-bounds.md, eq:leave-run-out); of
/// fields that are kriged those of every run, at all of its times (eq:kriging-left-out). Call after
/// compress(). When a stop is requested, only what was measured before comes back. `backend`: see
/// FieldAnywhere; fits of kriging, which some of it takes, are the CPU's of the context.
Measured measureErrors(const Study &study, const ExecutionContext &context,
                       const std::stop_token &stop = {},
                       const std::shared_ptr<const sparse::Backend> &backend = nullptr);

/// Runs that the study's surrogates are made of.
std::uint64_t finishedRuns(const Study &study);

/// Root mean squares of each field's figures, with the present number of runs; of those at
/// hold-outs as far as they are inside of the ranges.
std::vector<ErrorThen> historyOf(const Study &study, const std::vector<ErrorFigure> &figures);

/// measureErrors, stored, and added to the error history: who has computed; none, and nothing is
/// stored, if a stop was requested.
std::optional<ComputedOn>
storeErrors(StudyWriter &writer, const ExecutionContext &context, const std::stop_token &stop = {},
            const std::shared_ptr<const sparse::Backend> &backend = nullptr);

/// The figures of one field and kind as one line: root mean square of relative L2 errors, and the
/// worst ones with where they are.
struct ErrorSummary
{
    ErrorKind kind = ErrorKind::heldOut;
    FieldIndex field = 0;
    std::size_t places = 0;
    double meanRelativeL2 = 0;    ///< root mean square
    double largestRelativeL2 = 0; ///< and its place
    std::vector<double> worstParameters;
    double maximum = 0; ///< in the field's unit
    std::uint64_t gridPoints = 0;
    std::uint64_t missingPoints = 0;
};
std::vector<ErrorSummary> summarize(const std::vector<ErrorFigure> &figures);

} // namespace gridhelm::data
