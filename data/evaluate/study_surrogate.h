// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/modes/modal_surrogate.h"
#include "core/surrogate/surrogate.h"
#include "data/study/study.h"

#include <cstdint>
#include <memory>
#include <span>

namespace gridhelm::data {

class ReadTransaction;

/// What maps the parameters of a vector study, in the unit cube, to weights over the rows that are
/// stored for a field: its coefficients, or its modes where the study has some, by kriging where it
/// has that. Throws gridhelm::Error if there is no such field. `study` is not needed afterwards.
std::shared_ptr<const Surrogate> surrogateOf(const Study &study, FieldIndex field);

/// The same as a surrogate over modes; null if it is none.
const modes::ModalSurrogate *modalOf(const Surrogate &surrogate);

/// Whether the rows are modes: orthonormal, the most important one first.
bool rowsAreModes(const Surrogate &surrogate);

/// While it lives, all that is read of a field's rows is of one moment. Null where that makes no
/// difference, and a writer would wait in vain: of coefficients, which never change, while modes,
/// and rows in few bits, are replaced as a whole.
std::unique_ptr<const ReadTransaction> readTogether(const Study &study, FieldIndex field);

/// One of the rows, all of it or a part; of rows without coefficients zeros.
void readRow(const Study &study, FieldIndex field, const Surrogate &surrogate, std::uint64_t row,
             std::span<float> values);
void readRowPart(const Study &study, FieldIndex field, const Surrogate &surrogate,
                 std::uint64_t row, std::uint64_t part, std::span<float> values);

/// Levels of the grid, the coarsest first, of which every point has coefficients of the field; all,
/// if the last one is of leaf blocks (sparse::Grouping) and any of these has some.
int completeGroups(const Study &study, FieldIndex field);

/// Weights over the first `groups` groups of which the rows of the last complete one are the
/// indicator's: where finer levels have been added and not been run yet, theirs would be 0 (or some
/// part of it) anywhere. As they are if all of `groups` are complete, or none.
SparseWeights withCompleteIndicator(SparseWeights weights, const Surrogate &surrogate, int groups,
                                    int complete);

/// Weights at x over the rows that are stored, with that indicator. Over modes, the indicator is
/// that of the rows in whose place they are, and each mode is named once if it is not wanted.
/// Kriging has none among its rows: fillDeviations() is it.
SparseWeights weightsAt(const Surrogate &surrogate, std::span<const double> x, int groups,
                        OutOfRange outOfRange, int complete, bool withIndicator);

} // namespace gridhelm::data
