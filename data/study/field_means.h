// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a field is evaluated by, or shall be once compress has made it.
#pragma once

#include <optional>

namespace gridhelm::data {

/// What modes in few bits may add to the error (data/compress/quantise_modes.h).
struct AddedErrorStep
{
    double allowed = 0;  ///< relative to the field's root mean square; 0: modes, if any, are exact
    bool isHalf = false; ///< half of the field's own measured error instead

    /// Whether anything may be added.
    bool isAny() const { return isHalf || allowed > 0; }

    bool operator==(const AddedErrorStep &) const = default;
};

struct FieldMeans
{
    /// What was asked for, and is made even where the field has it already.
    struct Asked
    {
        bool modes = false;
        bool error = false;
        bool surrogate = false;
        bool degree = false; ///< that of the least error is to be chosen

        bool operator==(const Asked &) const = default;
    };

    bool isKriged = false;
    bool hasModes = false;
    std::optional<double> cut = std::nullopt; ///< of its modes; none: as the error asks for
    AddedErrorStep error = {};                ///< that these may add
    bool isChosen = false; ///< by its error, now or once: isKriged is what it was
    Asked asked = {};
    /// Nothing in few bits was taken for `error`: another form may be once there are new runs.
    bool staysFloat = false;

    bool operator==(const FieldMeans &) const = default;
};

} // namespace gridhelm::data
