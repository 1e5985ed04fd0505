// SPDX-License-Identifier: GPL-3.0-or-later
//
// How far a field may be off at a place, and for what share of places that holds
// (docs/theory/error-bounds.md, eq:conformal-score and eq:conformal-bound).
#pragma once

#include "data/evaluate/field_anywhere.h"
#include "data/study/study.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gridhelm::data {

/// A hold-out (all places in space of a scalar study's run), and what was measured there.
struct HeldOutPlace
{
    std::vector<double> parameters;
    HeldOutError norms; ///< root mean squares
    double relativeError = 0;
};

/// What the bands of a field are calibrated by.
class BandCalibration
{
public:
    /// Asks `surrogate` at random places of the parameter space, the same every time.
    BandCalibration(const Study &study, FieldIndex field, const FieldAnywhere &surrogate);

    /// A tenth of the median indicator (root mean squares) over these places.
    double floor() const { return m_floor; }

    /// Of hold-outs inside of the ranges; those in corners and faces are counted apart. Nothing if
    /// there is no hold-out inside.
    std::optional<FieldBand> band(const std::vector<HeldOutPlace> &places) const;
    /// Of a surrogate's own runs (crossValidate()).
    std::optional<FieldBand> crossValidated(const std::vector<HeldOutError> &runs) const;

private:
    std::optional<FieldBand> withTypical(const std::optional<ErrorBand> &calibrated,
                                         FieldBand band) const;

    ParameterSpace m_space;
    FieldIndex m_field;
    std::optional<double> m_spread;     ///< FieldBand::spread
    std::vector<FieldNorms> m_anywhere; ///< at the random places
    double m_floor = 0;
};

/// Points that errors of the field are measured without: those that lack a snapshot, of which
/// kriging knows nothing.
std::uint64_t missingRuns(const Study &study, FieldIndex field);

/// The field's band, unless it was measured on another grid than the study's present one, or with
/// other snapshots missing.
std::optional<FieldBand> bandOf(const Study &study, FieldIndex field);

/// The band at a place where indicator and field have these root mean squares, relative to the
/// field; infinite where the field is 0 and the band is not.
double relativeBand(const ErrorBand &band, double indicator, double values);

/// A field's band at one place.
struct BandHere
{
    ErrorBand band;
    double relative = 0; ///< to the field's root mean square there, or to FieldBand::spread
    /// At single nodes: FieldBand::nodes.
    std::optional<ErrorBand> nodes = std::nullopt;
};

/// Where indicator and field have these root mean squares.
BandHere bandHere(const FieldBand &band, double indicator, double values);

/// The same for the values and indicators that a field has at these parameters; nothing without a
/// band, and for parameters out of their ranges. `distance`: see rootMeanSquare().
std::optional<BandHere> bandAt(const std::optional<FieldBand> &band, const ParameterSpace &space,
                               std::span<const double> parameters, std::span<const float> values,
                               std::span<const float> indicator,
                               std::span<const float> distance = {});

/// What a file of the field says of its error there: "velocity_band", relative L2, and
/// "velocity_band_coverage", the share of the parameter space that it holds for. Without values if
/// it was not measured.
struct BandNumber
{
    std::string name;
    std::optional<double> value;
};
std::array<BandNumber, 2> bandNumbers(const Field &field, const std::optional<BandHere> &here);

/// Of the parameter space, for which the band holds: "95 %".
std::string coverageText(const ErrorBand &band);
/// "95 % error bound 0.8 %".
std::string bandText(const ErrorBand &band, double relative);

} // namespace gridhelm::data
