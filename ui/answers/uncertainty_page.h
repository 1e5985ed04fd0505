// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/answers/uncertainty.h"
#include "ui/answers/answer_page.h"

#include <optional>

class QLabel;
class QLineEdit;
class QTableWidget;

namespace gridhelm::ui {

class HistogramPlot;
class InputRows;

/// What the parameters' uncertainty makes of a response.
class UncertaintyPage : public AnswerPage
{
    Q_OBJECT

public:
    explicit UncertaintyPage(QWidget *parent = nullptr);

    InputRows *inputs() const { return m_inputs; }
    HistogramPlot *plot() const { return m_plot; }
    /// None until it is known.
    const std::optional<answers::Spread> &spread() const { return m_spread; }

protected:
    void refresh() override;
    void grow() override;

private:
    void showSpread(const answers::Spread &spread, std::optional<double> threshold);

    InputRows *m_inputs;
    QLineEdit *m_threshold;
    HistogramPlot *m_plot;
    QTableWidget *m_statistics;
    QLabel *m_text;
    std::optional<answers::Spread> m_spread;
};

} // namespace gridhelm::ui
