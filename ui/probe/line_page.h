// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plot/plot_style.h"
#include "ui/probe/probe_answer.h"

#include <QWidget>

#include <memory>

class QLabel;
class QToolButton;

namespace gridhelm::ui {

/// Values of the shown field over the length of a line.
class LinePlot : public Plot
{
    Q_OBJECT

public:
    explicit LinePlot(QWidget *parent = nullptr);

    /// Null: none.
    void show(std::shared_ptr<const ProbeAnswer> answer);

protected:
    void restyle() override;
    void showAll() override;

private:
    QCPGraph *m_curve;
    double m_length = 1;
};

/// The line that is probed, and how to draw one.
class LinePage : public QWidget
{
    Q_OBJECT

public:
    explicit LinePage(QWidget *parent = nullptr);

    /// With a line; null: there is none.
    void show(std::shared_ptr<const ProbeAnswer> answer);
    LinePlot *plot() const { return m_plot; }
    /// Whether every drag in the view is a line.
    QToolButton *drawButton() const { return m_draw; }

signals:
    void news(const QString &sentence);
    void failed(const QString &sentence);

private:
    QLabel *m_title;
    QToolButton *m_draw, *m_save;
    LinePlot *m_plot;
    std::shared_ptr<const ProbeAnswer> m_answer;
};

} // namespace gridhelm::ui
