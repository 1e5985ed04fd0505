// SPDX-License-Identifier: GPL-3.0-or-later
//
// Arrival times folded into layers of equal duration.
#pragma once

#include "core/solvers/field_view.h"
#include "core/solvers/vti_file.h"

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gridhelm::solvers {

/// The layer in which a value lies: 0 .. layers - 1 for finite values in 0 .. highest, otherwise
/// -1.
int layerOf(double value, double highest, int layers);

/// The largest finite value, or 0.
double highestOf(const FieldView &field);

/// The arrays of a field's file: the values and, if there are layers, "layer" (0, 1, ...) of values
/// up to `highest`. The field's values outlive it.
class FieldArrays
{
public:
    FieldArrays(const std::string &name, const FieldView &field, std::optional<int> layers,
                double highest);
    FieldArrays(const FieldArrays &) = delete;
    FieldArrays &operator=(const FieldArrays &) = delete;

    std::span<const ImageArrayView> views() const { return m_views; }

private:
    std::vector<float> m_layers;
    std::vector<ImageArrayView> m_views;
};

/// As a .vti file, whole or not at all; with FieldArrays. Throws gridhelm::Error.
void saveField(const std::filesystem::path &path, const std::string &name, const FieldView &field,
               std::optional<int> layers = {});

} // namespace gridhelm::solvers
