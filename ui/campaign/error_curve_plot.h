// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/study/study_types.h"
#include "ui/plot/plot_style.h"

#include <string>
#include <vector>

namespace gridhelm::ui {

/// The error of each field against the number of runs: dashed what was estimated from coefficients,
/// dots what was measured at hold-outs, circles with runs left out.
class ErrorCurvePlot : public Plot
{
    Q_OBJECT

public:
    explicit ErrorCurvePlot(QWidget *parent = nullptr);

    /// `fields`: their names.
    void setHistory(const std::vector<data::ErrorThen> &history,
                    const std::vector<std::string> &fields);

protected:
    void restyle() override;
    void showAll() override;

private:
    void addCurves();

    std::vector<data::ErrorThen> m_history;
    std::vector<std::string> m_fields;
};

} // namespace gridhelm::ui
