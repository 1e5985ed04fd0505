// SPDX-License-Identifier: GPL-3.0-or-later
//
// A field's error in one number, the same wherever it is shown.
#pragma once

#include "data/study/study.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace gridhelm::data {

/// Of the relative L2 errors (eq:relative-error) at all validation points, or without any at the
/// runs that were predicted without themselves, the k-th smallest of N, k = ceil(0.9 (N + 1)): a
/// 90th percentile over the whole ranges, their corners and faces among them. Of fewer than nine
/// the largest.
struct Accuracy
{
    static constexpr std::size_t fewest = 9;

    double relativeL2 = 0; ///< of a field that is one number: to its standard deviation over runs
    double maximum = 0;    ///< the same of largest errors, in the field's unit
    ErrorKind kind = ErrorKind::heldOut;
    std::size_t places = 0;

    bool isLargest() const { return places < fewest; }
    bool operator==(const Accuracy &) const = default;
};

/// The k-th smallest magnitude of N errors, 1 at least, as above.
double ninetiethPercentile(std::vector<double> errors);

/// Nothing if it was not measured, or on another grid or with other runs missing than now.
std::optional<Accuracy> accuracyOf(const Study &study, FieldIndex field);
/// The same of Study::errorFigures(), for who asks for several fields.
std::optional<Accuracy> accuracyOf(const Study &study, const std::vector<ErrorFigure> &figures,
                                   FieldIndex field);

/// "U: 0.31 % (90th percentile of the relative L2 error at 20 validation points)"; of a field that
/// is one number "y: 0.03 mm, 4 % of its spread (...)".
std::string accuracyText(const Accuracy &accuracy, const Field &field);

} // namespace gridhelm::data
