// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the user has chosen to see, as one plain value: undo, saved states and restarts keep it.
#pragma once

#include "ui/scene/view_settings.h"
#include "ui/steering/study_facts.h"

#include <QJsonObject>

#include <optional>
#include <vector>

namespace gridhelm::ui {

/// Where the ends of the colours come from.
enum class RangeMode : std::uint8_t {
    frame, ///< round numbers around the values that are shown
    study, ///< around those of the whole study
    fixed, ///< as the user says (ViewSettings::range)
};

enum class Shown : std::uint8_t {
    field,
    indicator, ///< magnitude of what the last complete level adds: how much to trust it
};

/// How the pinned state A and the steered one, B, are seen.
enum class Comparing : std::uint8_t {
    off,        ///< B alone
    sideBySide, ///< A on the left, B on the right, the same colours and the same camera
    blink,      ///< one after the other in the same place
    difference, ///< B - A, in colours that are symmetric around 0
};

/// What a view shows of a state, and how.
struct Look
{
    data::FieldIndex field = 0;
    Shown shown = Shown::field;
    RangeMode rangeMode = RangeMode::study;
    ViewSettings view = {};

    bool operator==(const Look &) const = default;
};

/// The look is that of the main view, which panels and keys change.
struct Steering : Look
{
    std::vector<double> parameters; ///< of StudyFacts::parameters
    /// As parameters: A, for Comparing; none: nothing is pinned, and `comparing` means nothing.
    std::optional<std::vector<double>> pinned;
    Comparing comparing = Comparing::off;
    bool pinnedMoves = false;     ///< A moves by as much as the sliders do, as far as it can
    std::vector<Look> companions; ///< further views of the steered state, at most maxCompanions
    bool camerasAreLinked = true; ///< all views are seen from the same place, where they can be

    bool operator==(const Steering &) const = default;
    /// Whether nothing but parameters (those of an A that moves, too) is different, if anything is.
    bool showsTheSame(const Steering &other) const;
};

/// What is really seen: off without a pinned state.
inline Comparing comparingOf(const Steering &steering)
{
    return steering.pinned ? steering.comparing : Comparing::off;
}

constexpr std::size_t maxCompanions = 8;

/// Near the middle of the ranges, of three digits (time-like ones: at their ends), first field.
Steering initialSteering(const StudyFacts &study);

/// For files and settings. Names instead of numbers, so that a study that has grown can be read.
QJsonObject toJson(const Steering &steering, const StudyFacts &study);
/// What is unknown, missing or out of range is as in `otherwise`.
Steering fromJson(const QJsonObject &json, const StudyFacts &study, const Steering &otherwise);

} // namespace gridhelm::ui
