// SPDX-License-Identifier: GPL-3.0-or-later
//
// Norms of fields and of their errors. Private to data.
#pragma once

#include "data/study/study_types.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

namespace gridhelm::data {

/// Of the values of a field, or of several one after the other.
struct Norms
{
    double l2 = 0; ///< not yet a root
    double maximum = 0;

    Norms &operator+=(const Norms &other)
    {
        l2 += other.l2;
        maximum = std::max(maximum, other.maximum);
        return *this;
    }
};

inline Norms normsOf(std::span<const float> values)
{
    Norms norms;
    for (float value : values) {
        const auto magnitude = std::abs(static_cast<double>(value));
        norms.l2 += magnitude * magnitude;
        norms.maximum = std::max(norms.maximum, magnitude);
    }
    return norms;
}

/// A difference relative to a reference; absolute if that is zero (docs/theory/error-bounds.md,
/// eq:relative-error). Both are of stored numbers, of this scale (Field).
inline ErrorFigure figureOf(ErrorKind kind, FieldIndex field, std::vector<double> parameters,
                            const Norms &difference, const Norms &reference, double scale)
{
    ErrorFigure figure;
    figure.kind = kind;
    figure.field = field;
    figure.parameters = std::move(parameters);
    figure.relativeL2 = std::sqrt(difference.l2) / (reference.l2 > 0 ? std::sqrt(reference.l2) : 1);
    figure.maximum = scale * difference.maximum;
    figure.relativeMaximum = difference.maximum / (reference.maximum > 0 ? reference.maximum : 1);
    return figure;
}

} // namespace gridhelm::data
