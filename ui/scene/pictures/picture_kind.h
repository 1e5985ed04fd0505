// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/pictures/field_picture.h"
#include "ui/scene/pictures/picture_option.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::ui {

/// What a kind of picture says of itself, once, for all who offer it.
struct PictureKind
{
    std::string_view id;      ///< "slice": on the command line and in saved views
    std::string_view name;    ///< on the screen
    std::string_view summary; ///< what one sees, in the command line's help

    std::span<const PictureOption *const> options = {};

    /// Why it cannot show the field, and what to do: a sentence; empty if it can. Null: it can show
    /// all fields.
    std::string (*unavailableReason)(bool isFlat, const data::Field &field) = nullptr;

    /// Whether places of low confidence are marked on it. Null: never.
    bool (*canMarkLowConfidence)(const MeshShape &shape) = nullptr;

    /// Throws gridhelm::Error for settings that make no sense, on a mesh of this shape (null: on
    /// any), beyond the limits of the options. Null: there are none. Called for all kinds, whatever
    /// ViewSettings::kind is.
    void (*requireSensible)(const ViewSettings &settings, const MeshShape *shape) = nullptr;

    /// Values, ascending and inside of the range, between which everything has one colour; empty:
    /// colours are continuous, as they are where this is null. Throws gridhelm::Error if the
    /// settings want steps and none is in the range.
    std::vector<double> (*colourSteps)(const MeshShape &shape, const ViewSettings &settings,
                                       const ValueRange &range) = nullptr;

    /// `source` has values of the field. Throws gridhelm::Error for settings that make no sense for
    /// this mesh.
    std::unique_ptr<FieldPicture> (*make)(const PictureSource &source, const data::Field &field,
                                          const ViewSettings &settings) = nullptr;
};

/// "slice, contour ... or volume".
std::string namesOfKinds();

/// See PictureKind.
std::string unavailableReason(ViewKind kind, bool isFlat, const data::Field &field);
bool canMarkLowConfidence(ViewKind kind, const MeshShape &shape);

/// Of all kinds, each once.
const std::vector<const PictureOption *> &allPictureOptions();

/// The same settings, where options of their kind are as they usually are if the field cannot have
/// them otherwise; `reason`: why, of one of them, or empty.
ViewSettings withPossibleOptions(const ViewSettings &settings, bool isFlat,
                                 const data::Field &field, std::string &reason);

/// For PictureKind::unavailableReason: a sentence unless the field has vectors; `name` is that of
/// several things.
std::string needsVectors(std::string_view name, const data::Field &field);

} // namespace gridhelm::ui
