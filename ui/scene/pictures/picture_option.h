// SPDX-License-Identifier: GPL-3.0-or-later
//
// What can be chosen of a kind of picture. Forms in the window, options of the command line, checks
// and the question whether a picture must be made anew follow from it.
#pragma once

#include "data/study/study_types.h"
#include "ui/scene/geometry/mesh_shape.h"

#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace gridhelm::ui {

/// Above 0, however little.
inline constexpr double aboveZero = std::numeric_limits<double>::min();
inline constexpr double anyNumber = std::numeric_limits<double>::max();

struct OptionChoice
{
    double value;
    std::string_view name;                      ///< in the window
    bool (*isPossible)(const MeshShape &shape); ///< null: always
};

struct PictureOption
{
    enum class Type {
        real,
        whole,
        choice,
        text,
        flag, ///< 1 or 0: on or off
    };

    std::string_view key; ///< "glyph-scale": after "--" on the command line, and in saved views
    std::string_view help;
    /// "N": of the value, in the command line's help; of a flag, none.
    std::string_view placeholder = {};
    Type type = Type::real;
    bool isLive = false; ///< a new value needs no other picture, just another look of it

    // In the window; for `text` it has rows of its own.
    std::string_view name = {}; ///< "Length"
    std::string_view unit = {};
    std::string_view step = {};    ///< "length of arrows": what is undone
    double low = 0, high = 1;      ///< what a hand may want; the command line goes further
    bool isLogarithmic = false;    ///< low > 0 then
    std::string_view subject = {}; ///< of a choice: "Where streamlines pass", for screen readers
    std::span<const OptionChoice> choices = {};
    bool (*isUsed)(const MeshShape &shape) = nullptr; ///< null: on every mesh
    bool isOfVectors = false;            ///< fields of one number have nothing to choose here
    const PictureOption *flag = nullptr; ///< it matters while this one is on; null: always
    /// Why it must stay as it usually is for this field, and what to do: a sentence; empty if it
    /// need not. Null: it never must.
    std::string (*unavailableReason)(bool isFlat, const data::Field &field) = nullptr;

    // What is possible; the sentence for what is not has {0} and {1} for the two.
    double least = 0, most = 1;
    std::string_view refusal = {};

    // Where the value is; null: in ViewSettings::further, `usual` until it is chosen.
    double (*get)(const ViewSettings &settings) = nullptr;
    void (*set)(ViewSettings &settings, double value) = nullptr;
    double usual = 0;

    /// Of the command line, where a number would not do: throws gridhelm::Error, which says what
    /// `what` can be.
    void (*parse)(std::string_view text, std::string_view what, ViewSettings &settings) = nullptr;
    /// Of the command line, if not the usual value.
    std::string_view defaultText = {};
};

double valueOf(const PictureOption &option, const ViewSettings &settings);
/// Of a flag.
bool isOn(const PictureOption &option, const ViewSettings &settings);
void setValue(const PictureOption &option, double value, ViewSettings &settings);

/// Throws gridhelm::Error for a value that is not possible.
void requirePossible(const PictureOption &option, const ViewSettings &settings);

/// What the command line takes if it is not given; may be empty.
std::string defaultTextOf(const PictureOption &option);
/// `what`: how the text is called where it comes from ("--glyphs"). Throws gridhelm::Error for what
/// is no value of the option; whether it is possible is for requirePossible().
void parseOption(const PictureOption &option, std::string_view text, std::string_view what,
                 ViewSettings &settings);

/// Of isosurfaces and volumes.
extern const PictureOption opacityOption;

} // namespace gridhelm::ui
