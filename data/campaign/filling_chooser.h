// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/campaign/refine_step.h"
#include "data/campaign/run_chooser.h"

namespace gridhelm::data {

/// Places that fill the space, of a study of scattered runs. Its errors are those of runs that are
/// left out; they are looked at between batches only if a wished one is to be reached, since each
/// look fits kriging again. Private to data.
class FillingChooser : public RunChooser
{
public:
    /// All must outlive it; the study has results.
    FillingChooser(StudyWriter &writer, const RefineStep &step, const StepControl &control);

    const std::vector<FieldIndex> &fields() const override { return m_fields; }
    const std::vector<FieldMeans> &means() const override { return m_means; }
    bool update() override;
    std::vector<std::optional<double>> estimates() const override;
    HistoryKind kindOfEstimate() const override { return HistoryKind::leaveOneOut; }
    AddedRuns add(std::uint64_t wanted, std::uint64_t most) override;
    std::string exhaustion() const override;

private:
    StudyWriter &m_writer;
    const RefineStep &m_step;
    const StepControl &m_control;
    std::vector<FieldIndex> m_fields;
    std::vector<FieldMeans> m_means;
};

/// Plans what comes before all that: the runs that the study's plan still lacks, but `most` at
/// most. Returns how many.
std::uint64_t planFirst(StudyWriter &writer, std::uint64_t most, const StepControl &control);

} // namespace gridhelm::data
