// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/surrogate/error_band.h"
#include "ui/steering/steering.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace gridhelm::ui {

/// How large the indicator is beside the field along one parameter, the others as they are; and, of
/// a field whose errors are calibrated, how far off it may be.
struct TrackTint
{
    std::shared_ptr<const StudyFacts> study;
    data::FieldIndex field = 0;
    std::size_t parameter = 0;
    std::vector<double> parameters; ///< of all others
    std::vector<double> at;         ///< its values: the middles of equal parts of its track
    std::vector<double> shares;     ///< norm of the indicator by that of the field, at each
    std::optional<ErrorBand> band;  ///< that the errors are of; none: not calibrated
    std::vector<double> errors;     ///< data::relativeBand() at each; empty without a band
    std::uint64_t entities = 0;     ///< of the field's, that were looked at

    /// What the track shows: errors if they are known, shares otherwise.
    const std::vector<double> &shown() const { return band ? errors : shares; }

    /// Whether these are the shares along the parameter's track at present.
    bool isOf(const Steering &now) const;
};

/// The values of a parameter in the middles of the equal parts of its track that are tinted.
std::vector<double> tintedValues(const Parameter &parameter);

} // namespace gridhelm::ui
