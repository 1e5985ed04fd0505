// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/sparse_grid_surrogate.h"
#include "data/study/study.h"

#include <span>
#include <vector>

namespace gridhelm::data {

/// The sparse grid of a field's coefficients, read from the file row by row, whatever the field is
/// evaluated by: of a vector study on a grid. Coefficients that are missing are 0. Private to data.
class StoredGrid
{
public:
    /// `study` must outlive it. `points`: those of the grid that count, which are a grid
    /// themselves; empty: all of them.
    StoredGrid(const Study &study, FieldIndex field, std::vector<bool> points = {});

    /// At a place in the unit cube. Throws gridhelm::Error for what is damaged.
    void evaluate(std::span<const double> place, std::span<float> values);

private:
    const Study &m_study;
    FieldIndex m_field;
    std::vector<bool> m_points;
    sparse::SparseGridSurrogate m_surrogate;
    std::vector<float> m_row;
};

} // namespace gridhelm::data
