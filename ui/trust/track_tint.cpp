// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trust/track_tint.h"

namespace gridhelm::ui {
namespace {

// The middles are no points of a grid with fewer than 6 levels: at coarse points the indicator is
// small everywhere.
constexpr int parts = 32;

} // namespace

bool TrackTint::isOf(const Steering &now) const
{
    if (now.field != field || now.parameters.size() != parameters.size())
        return false;
    for (std::size_t t = 0; t < parameters.size(); ++t) {
        if (t != parameter && now.parameters[t] != parameters[t])
            return false;
    }
    return true;
}

std::vector<double> tintedValues(const Parameter &parameter)
{
    const ParameterSpace alone({parameter});
    std::vector<double> values;
    for (int i = 0; i < parts; ++i)
        values.push_back(alone.fromUnit(std::vector{(i + 0.5) / parts}).front());
    return values;
}

} // namespace gridhelm::ui
