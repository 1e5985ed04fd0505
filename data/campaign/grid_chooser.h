// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/campaign/refine_step.h"
#include "data/campaign/refinement.h"
#include "data/campaign/run_chooser.h"
#include "data/campaign/run_mixture.h"

namespace gridhelm::data {

/// Blocks of a study's grid, and where surrogates are chosen places off it as well. Private to
/// data.
class GridChooser : public RunChooser
{
public:
    /// All must outlive it; the study has results.
    GridChooser(StudyWriter &writer, const RefineStep &step, const StepControl &control);

    const std::vector<FieldIndex> &fields() const override { return m_fields; }
    const std::vector<FieldMeans> &means() const override { return m_means; }
    bool update() override;
    std::vector<std::optional<double>> estimates() const override;
    HistoryKind kindOfEstimate() const override { return HistoryKind::estimate; }
    AddedRuns add(std::uint64_t wanted, std::uint64_t most) override;
    std::string exhaustion() const override;

private:
    bool chooseSurrogates();
    AddedRuns growGrid(std::uint64_t wanted, std::uint64_t most);
    AddedRuns leaveGrid(std::uint64_t wanted);

    StudyWriter &m_writer;
    const RefineStep &m_step;
    const StepControl &m_control;
    std::vector<FieldIndex> m_fields;
    std::vector<FieldMeans> m_means;
    RefinementState m_state;
    RunMixture m_mixture;
};

} // namespace gridhelm::data
