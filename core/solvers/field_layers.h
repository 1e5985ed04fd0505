// SPDX-License-Identifier: GPL-3.0-or-later
//
// Arrival times folded into layers of equal duration.
#pragma once

#include "core/solvers/field_view.h"

#include <filesystem>
#include <optional>
#include <string>

namespace gridhelm::solvers {

/// The layer in which a value lies: 0 .. layers - 1 for finite values in 0 .. highest, otherwise
/// -1.
int layerOf(double value, double highest, int layers);

/// The largest finite value, or 0.
double highestOf(const FieldView &field);

/// As a .vti file, whole or not at all; with the array "layer" (0, 1, ...) if there are layers.
/// Throws gridhelm::Error.
void saveField(const std::filesystem::path &path, const std::string &name, const FieldView &field,
               std::optional<int> layers = {});

} // namespace gridhelm::solvers
