// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/steering/further_options.h"

#include <QString>

#include <algorithm>
#include <cmath>

namespace gridhelm::ui {
namespace {

bool isPossible(const PictureOption &option, double value)
{
    switch (option.type) {
    case PictureOption::Type::choice:
        return std::ranges::find(option.choices, value, &OptionChoice::value)
               != option.choices.end();
    case PictureOption::Type::whole:
        return value >= option.least && value <= option.most && value == std::round(value);
    case PictureOption::Type::flag:
        return value == 0 || value == 1;
    case PictureOption::Type::real:
        return value >= option.least && value <= option.most;
    case PictureOption::Type::text:
        break;
    }
    return false;
}

} // namespace

QJsonObject furtherToJson(const ViewSettings &view)
{
    QJsonObject json;
    for (const auto &[key, value] : view.further)
        json[QString::fromUtf8(key)] = value;
    return json;
}

void readFurther(const QJsonObject &json, std::span<const PictureOption *const> options,
                 ViewSettings &view)
{
    view.further.clear();
    for (const auto *option : options) {
        const auto saved = json[QString::fromUtf8(option->key)];
        // Others have a place of their own, and a name there.
        if (!option->set && saved.isDouble() && isPossible(*option, saved.toDouble()))
            setValue(*option, saved.toDouble(), view);
    }
}

} // namespace gridhelm::ui
