// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/solve/convergence_plot.h"
#include "ui/solve/run_table_model.h"

#include <QWidget>

#include <functional>

class QCheckBox;
class QComboBox;
class QMenu;
class QSettings;
class QSplitter;
class QTableView;
class QToolButton;

namespace gridhelm::ui {

/// The runs so far, compared: their curves in one plot, their figures in one table.
class RunsPanel : public QWidget
{
    Q_OBJECT

public:
    explicit RunsPanel(QWidget *parent = nullptr);

    int add(const QString &name, const QString &method, const QString &size);
    void update(int id, const RunState &state);
    void append(int id, std::span<const solvers::StepReport> points);
    void remove(int id);
    /// It cannot be removed by the user; 0: all can.
    void setActive(int id);

    RunTableModel *model() const { return m_model; }
    ConvergencePlot *plot() const { return m_plot; }
    QTableView *table() const { return m_table; }

    /// Throw gridhelm::Error if the file cannot be written.
    void exportTable(const QString &path) const;
    void exportCurves(const QString &path) const;
    void exportPlot(const QString &path) const;

    void saveState(QSettings &settings) const;
    void restoreState(QSettings &settings);

signals:
    void news(const QString &sentence);
    void failed(const QString &sentence);

protected:
    void changeEvent(QEvent *event) override;

private:
    void makeMenu(QMenu *menu);
    void addExport(QMenu *menu, const QString &text, const QString &name, const QString &filter,
                   void (RunsPanel::*write)(const QString &) const);
    void chooseQuantities();
    void removeSelected();

    RunTableModel *m_model;
    ConvergencePlot *m_plot;
    QTableView *m_table;
    QSplitter *m_splitter;
    QCheckBox *m_residual;
    QCheckBox *m_change;
    QCheckBox *m_error;
    QComboBox *m_abscissa;
    QToolButton *m_remove;
    int m_active = 0;
};

} // namespace gridhelm::ui
