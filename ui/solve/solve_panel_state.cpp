// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the panel keeps from one start of the program to the next.
#include "ui/machine/machine_limits.h"
#include "ui/solve/field_panel.h"
#include "ui/solve/runs_panel.h"
#include "ui/solve/solve_panel.h"
#include "ui/solve/solver_form.h"

#include <QSettings>
#include <QSpinBox>
#include <QSplitter>
#include <QTabBar>

namespace gridhelm::ui {

void SolvePanel::saveState(QSettings &settings) const
{
    settings.beginGroup("solve");
    settings.setValue("solver", m_solvers->currentIndex());
    settings.setValue("step", m_stepCount->value());
    settings.setValue("splitter", m_splitter->saveState());
    for (const auto *each : m_forms)
        each->saveState(settings);
    settings.beginGroup("view");
    m_field->saveState(settings);
    settings.endGroup();
    settings.beginGroup("runs");
    m_runs->saveState(settings);
    settings.endGroup();
    m_limits->saveState(settings);
    settings.endGroup();
}

void SolvePanel::restoreState(QSettings &settings)
{
    settings.beginGroup("solve");
    const int solver = settings.value("solver", 0).toInt();
    if (solver >= 0 && solver < m_solvers->count() && !isActive())
        m_solvers->setCurrentIndex(solver);
    m_stepCount->setValue(settings.value("step", 1).toInt());
    m_splitter->restoreState(settings.value("splitter").toByteArray());
    for (auto *each : m_forms)
        each->restoreState(settings);
    settings.beginGroup("view");
    m_field->restoreState(settings);
    settings.endGroup();
    settings.beginGroup("runs");
    m_runs->restoreState(settings);
    settings.endGroup();
    m_limits->restoreState(settings);
    settings.endGroup();
}

} // namespace gridhelm::ui
