// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/picture.h"
#include "app/cli/solve_run.h"
#include "core/solvers/field_view.h"

#include <optional>
#include <string>
#include <vector>

namespace gridhelm::cli {

/// A plane of a field; the second axis points upwards in a picture.
struct Slice
{
    std::size_t width = 1;
    std::size_t height = 1;
    std::vector<double> values; ///< row by row from the bottom
};

/// Which plane of a 3D field.
struct SliceChoice
{
    std::size_t axis = 2;
    double position = 0.5; ///< 0 .. 1
};

/// "y=0.5". Throws Error.
SliceChoice parseSlice(const std::string &text);

Slice sliceOf(const solvers::FieldView &field, const SliceChoice &choice);

/// The slice with its range of colours, and beside it the figure `shown` against the iterations,
/// its axis logarithmic. With `bands`, values from 0 on are drawn as so many bands; values that
/// are not finite are grey.
Picture drawSolution(const Slice &slice, std::optional<int> bands,
                     const std::vector<solvers::StepReport> &history, Quantity shown,
                     const std::string &unit);

/// The band in which a value lies: 0 .. layers - 1 for finite values in 0 .. highest, otherwise -1.
int layerOf(double value, double highest, int layers);

/// The largest finite value, or 0.
double highestOf(const solvers::FieldView &field);

} // namespace gridhelm::cli
