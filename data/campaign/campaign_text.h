// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is said about campaigns, on a terminal and in a window alike.
#pragma once

#include "data/campaign/campaign.h"
#include "data/campaign/import_files.h"
#include "data/campaign/plan_cost.h"
#include "data/compress/compress.h"
#include "data/evaluate/error_bands.h"
#include "data/evaluate/hold_out.h"
#include "data/evaluate/hold_out_places.h"
#include "data/study/undo_growth.h"
#include "data/support/count_text.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::data {

/// "jobs 12 of 129, 1 failed, about 40 s remaining".
std::string progressText(std::string_view what, const CampaignProgress &progress);
/// "227 points, 227 jobs, about 21.5 MB", "51 runs"; bytes only if they are known.
std::string costText(const PlanCost &cost);
/// "83 coefficient rows computed, 2 again".
std::string compressText(const CompressReport &report);
/// "10 snapshots for grid points, 2 off the grid (validation points), 0 there already".
std::string importText(const ImportReport &report);
/// Sentences that belong beside an error: how many points were missing when it was measured,
/// whether the grid has grown since, and of a leave-one-out error the `doubt` that
/// leaveOneOutDoubt() has of it.
std::vector<std::string> errorNotes(const ErrorSummary &summary, std::string_view field,
                                    std::uint64_t gridPoints, std::string_view doubt);
/// Why the leave-one-out error of a field is far below the true one, which it is of kriging on a
/// grid whose ends are extrapolated (docs/theory/surrogates.md, where kriging and the grid
/// are chosen between); empty: nothing is known against it.
std::string leaveOneOutDoubt(const Study &study, FieldIndex field);
/// Sentences about what held-out errors do not speak of: hold-outs that are missing, and all of the
/// ranges' inside if only corners and faces are there.
std::vector<std::string> holdOutNotes(const HoldOutCoverage &coverage);
/// "33 POD modes of velocity for 145 snapshots (cell volumes as weights), with all but 8e-10 of the
/// energy; they change the snapshots by 0.003 % in the mean, 0.009 % at most (0.1 % at a single
/// value), which validation errors contain, leave-one-out errors of a sparse grid do not". Relative
/// to the norm of all snapshots.
std::string modesText(const ModeSet &set, std::string_view field);
/// "coefficients of velocity (cell volumes as weights); quantised, 1.2 MB for a picture, which adds
/// at most 0.1 % at its snapshots and validation points: 0.09 % at 145 snapshots, 0.05 % at 7
/// validation points; validation errors contain that, leave-one-out errors do not".
std::string quantisedRowsText(const QuantisedCoefficients &rows, std::string_view field);
/// What a field is evaluated by: "kriging of 12 modes from 49 runs, Matern 5/2, mean constant,
/// parameters warped", "sparse grid, degree 1".
std::string surrogateText(const Study &study, FieldIndex field);
/// Why a field has it: "chosen: 0.42 % off at 80 snapshots of the finest runs without these, beside
/// 1.3 % of the sparse grid", with a doubt where hold-outs are three times further off than that;
/// "chosen by hand"; empty: it has nothing to be chosen from.
std::string choiceText(const Study &study, FieldIndex field);
/// "accuracy: u: 0.42 % (...); p: 1.3 % (...)", accuracyText() of each field that has one; empty:
/// none has.
std::string accuraciesText(const Study &study);
/// Of a report that says `stopped`: "5 jobs in a row failed alike (the command ended with exit code
/// 3), so 12 more were not begun".
std::string stoppedText(const CampaignReport &report, std::string_view noun);
/// "2 min 5 s".
std::string durationText(double seconds);

/// "u: typically at most 0.8 % off, for 19 of 20 places (calibrated at 19 hold-outs inside the
/// ranges); ..." and what was found in corners and faces.
std::string bandSentence(const FieldBand &band, const std::string &field);

/// "76 points and 76 jobs removed, back at level 2".
std::string undoneText(const Growth &growth);

} // namespace gridhelm::data
