// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/study/study.h"

#include <cstdint>
#include <string>

namespace gridhelm::data {

/// As what a field's pictures are combined once an error may be added.
enum class RowForm : std::uint8_t { fewBitModes, fewBitRows, modes, rows };

/// A byte of codes takes as long as so many of float32. Measured were 1.6 to 1.8 (large fields) and
/// 2.6 to 4 (fields that fit into a cache) on two threads of an AMD EPYC, 1.5 to 2.2 on an H100
/// (bench frame, bench cuda-sparse). One number for all machines: a study is the same wherever it
/// is made.
inline constexpr double codeCost = 2;

/// What a picture of the field would read in each form, in the mean, and which one was taken.
struct FormChoice
{
    FieldIndex field = 0;
    RowForm taken = RowForm::modes;
    double fewBitModes = 0; ///< bytes; 0, here and below: no number of bits is near enough
    double fewBitRows = 0;  ///< or modes were asked for
    double modes = 0;       ///< exact ones, in the place of fewBitModes; 0: there are those
    double rows = 0;        ///< float32 coefficients
};

/// A sentence of these bytes.
std::string formText(const Study &study, const FormChoice &choice);

} // namespace gridhelm::data
