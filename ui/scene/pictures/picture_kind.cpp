// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/pictures/picture_kind.h"

#include "core/support/enumeration.h"
#include "core/support/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace gridhelm::ui {

std::string_view toString(ViewKind kind)
{
    return kindOf(kind).id;
}

ViewKind parseViewKind(std::string_view name)
{
    std::string known;
    for (const ViewKind kind : allViewKinds) {
        if (toString(kind) == name)
            return kind;
        known += (known.empty() ? "" : ", ") + std::string(toString(kind));
    }
    throw Error("there is no view '" + std::string(name) + "'; choose from " + known);
}

std::string namesOfKinds()
{
    std::vector<std::string_view> names;
    for (const auto *kind : pictureKinds)
        names.push_back(kind->name);
    return enumeration(names, "or");
}

std::string unavailableReason(ViewKind kind, bool isFlat, const data::Field &field)
{
    const auto reason = kindOf(kind).unavailableReason;
    return reason ? reason(isFlat, field) : std::string();
}

bool canMarkLowConfidence(ViewKind kind, const MeshShape &shape)
{
    const auto can = kindOf(kind).canMarkLowConfidence;
    return can && can(shape);
}

const std::vector<const PictureOption *> &allPictureOptions()
{
    static const auto all = [] {
        std::vector<const PictureOption *> options;
        for (const auto *kind : pictureKinds)
            for (const auto *option : kind->options)
                if (std::ranges::find(options, option) == options.end())
                    options.push_back(option);
        return options;
    }();
    return all;
}

ViewSettings withPossibleOptions(const ViewSettings &settings, bool isFlat,
                                 const data::Field &field, std::string &reason)
{
    auto possible = settings;
    reason.clear();
    for (const auto *option : kindOf(settings.kind).options) {
        if (!option->unavailableReason || valueOf(*option, settings) == valueOf(*option, {}))
            continue;
        auto why = option->unavailableReason(isFlat, field);
        if (why.empty())
            continue;
        setValue(*option, valueOf(*option, {}), possible);
        reason = std::move(why);
    }
    return possible;
}

std::string needsVectors(std::string_view name, const data::Field &field)
{
    if (field.components == 2 || field.components == 3)
        return {};
    return fmt::format("{} need a vector field, of 2 or 3 components; {} has {}: choose another "
                       "field, or another view",
                       name, field.name, field.components);
}

} // namespace gridhelm::ui
