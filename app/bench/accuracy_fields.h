// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the accuracy of designs and surrogates is measured with: analytic fields on a 64 x 64 mesh.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace gridhelm::bench {

struct AccuracyField
{
    const char *name;
    const char *family; ///< "plume", "smooth", "oscillating", "reciprocal" or "front"
    int parameters;     ///< 3 to 6, each from 0 to 1
    /// At (u, v) of the unit square, for parameters x (as many as `parameters`).
    double (*value)(double u, double v, const double *x);
};

/// Cells along a side of the mesh; a field is given at their centres, u fastest.
inline constexpr int accuracySide = 64;
inline constexpr std::size_t accuracyCells = std::size_t{accuracySide} * accuracySide;

/// tests/peers/accuracy_fields.py reads these formulas out of the source, so that there is one of
/// each.
std::span<const AccuracyField> accuracyFields();

/// At the accuracyCells centres. Precondition: one parameter for each of the field's.
std::vector<double> snapshotOf(const AccuracyField &field, std::span<const double> x);

} // namespace gridhelm::bench
