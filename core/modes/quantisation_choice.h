// SPDX-License-Identifier: GPL-3.0-or-later
//
// How many modes, and with how many bits, for an error that may be added
// (docs/theory/quantisation.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace gridhelm::modes {

/// What a row takes at any tolerance, from the largest magnitudes of its blocks.
class BlockMagnitudes
{
public:
    /// The row's next values, from the beginning of a block.
    void add(std::span<const float> values);

    /// Of widths and codes, as codec::QuantisedRow::bytes(), for a tolerance; a little more at
    /// most, since magnitudes are counted by eighths of powers of 2.
    double bytes(double tolerance) const;

private:
    std::uint64_t m_zeros = 0;
    std::map<int, std::uint64_t> m_blocks; ///< by eighths of the magnitude's binary logarithm
};

/// Fields as combinations of modes, and what they may be off.
struct QuantisationCase
{
    std::size_t values = 0;                      ///< of a field
    std::size_t modes = 0;                       ///< that there are
    std::size_t fewest = 1;                      ///< that are to be kept
    std::span<const double> coefficients;        ///< fields x modes, row by row
    std::span<const double> errors;              ///< of the fields with all modes: norms
    double allowed = 0;                          ///< norm of the error of any field
    std::span<const BlockMagnitudes> magnitudes; ///< of each mode
    /// How much larger squares of the errors by codes were, field by field, than was foretold of a
    /// choice before (squaresByCodes()); empty: as foretold.
    std::span<const double> corrections = {};
};

struct QuantisationChoice
{
    std::size_t modes = 0;          ///< the first ones; 0: no choice is near enough
    std::vector<double> tolerances; ///< of each of these modes
    double bytes = 0;               ///< of them
};

/// The number of modes, and tolerances, for which the fewest bytes are read for a picture, as far
/// as errors can be foretold: modes that are left out add what they contribute to each field, and
/// codes off by up to a tolerance t, evenly, t^2 / 3 for each value. Each mode has the tolerance
/// whose bytes, and whose square times the mean square of the mode's coefficients times a price,
/// cost least together; of all prices the one is taken with which the fewest bytes keep all fields
/// within what is allowed. The errors of the choice are to be measured, since those of codes hang
/// together more or less; with them it can choose again. Throws gridhelm::Error if
/// sizes do not fit.
QuantisationChoice chooseQuantisation(const QuantisationCase &of);

/// Of each field the square of the norm of the error by codes that is foretold for a choice.
std::vector<double> squaresByCodes(const QuantisationCase &of, const QuantisationChoice &choice);

} // namespace gridhelm::modes
