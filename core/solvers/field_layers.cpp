// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/field_layers.h"

#include "core/support/output_file.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace gridhelm::solvers {
namespace {

std::vector<float> layersOf(const FieldView &field, int layers, double highest)
{
    const auto index = [&](auto values) {
        std::vector<float> result;
        result.reserve(values.size());
        for (auto value : values)
            result.push_back(
                static_cast<float>(layerOf(static_cast<double>(value), highest, layers)));
        return result;
    };
    return std::visit(index, field.values);
}

} // namespace

int layerOf(double value, double highest, int layers)
{
    if (!std::isfinite(value) || value < 0 || !(highest > 0))
        return value == 0 ? 0 : -1;
    return std::min(static_cast<int>(value / highest * layers), layers - 1);
}

double highestOf(const FieldView &field)
{
    const auto highest = [](auto values) {
        double result = 0;
        for (auto value : values)
            if (std::isfinite(value))
                result = std::max(result, static_cast<double>(value));
        return result;
    };
    return std::visit(highest, field.values);
}

FieldArrays::FieldArrays(const std::string &name, const FieldView &field, std::optional<int> layers,
                         double highest)
    : m_views{{name, field.values}}
{
    if (!layers)
        return;
    m_layers = layersOf(field, *layers, highest);
    m_views.push_back({"layer", std::span<const float>(m_layers)});
}

void saveField(const std::filesystem::path &path, const std::string &name, const FieldView &field,
               std::optional<int> layers)
{
    const FieldArrays arrays(name, field, layers, highestOf(field));
    OutputFile file(path);
    writeVti(file.temporaryPath(), {field.points, field.origin, field.spacing, {}}, arrays.views());
    file.commit();
}

} // namespace gridhelm::solvers
