// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which of a study's runs are points of its grid, and which are at places that fill the space,
// where its surrogate is chosen between the two (docs/theory/designs.md). Private to data.
#pragma once

#include "data/study/study.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace gridhelm::data {

class RunMixture
{
public:
    /// `fields`: those whose surrogate is chosen; without any all runs are points of the grid.
    /// `study` must outlive it.
    RunMixture(const Study &study, std::vector<FieldIndex> fields);

    /// Whether kriging takes more runs than there are.
    bool mayLeaveGrid() const;

    /// Of the next so many runs, those that shall be off the grid.
    std::uint64_t offGridOf(std::uint64_t next) const;

    /// Fields with so many more runs since their surrogate was chosen last that it may be another
    /// one, or whose kriging had to go when the grid grew. Choosing costs a fit.
    std::vector<FieldIndex> fieldsToChoose() const;

    /// The mean error of the field's surrogate, relative, at the runs off the grid that it was
    /// chosen by; none if it was not.
    std::optional<double> errorOffGrid(FieldIndex field) const;

private:
    bool isToBeChosen(FieldIndex field) const;
    double share(std::uint64_t runs) const;

    const Study &m_study;
    std::vector<FieldIndex> m_fields;
};

/// Runs that have not failed, at the grid's points and off it; those that wait count.
struct RunsByPlace
{
    std::uint64_t onGrid = 0, offGrid = 0;

    std::uint64_t all() const { return onGrid + offGrid; }
};
RunsByPlace runsByPlace(const Study &study);

} // namespace gridhelm::data
