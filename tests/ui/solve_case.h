// SPDX-License-Identifier: GPL-3.0-or-later
//
// The solve panel on the screen, and hands for it.
#pragma once

#include "tests/core/on_cpu.h"
#include "ui/controls/value_slider.h"
#include "ui/solve/field_view.h"
#include "ui/solve/runs_panel.h"
#include "ui/solve/solve_panel.h"
#include "ui/solve/solver_run.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTabBar>
#include <QTest>

#include <cstdint>
#include <vector>

namespace gridhelm::test {

constexpr int solvePatience = 30000; ///< milliseconds; instrumented builds are slow

/// As their tabs are.
enum Solver { jacobi, sor, pmm, stencils };

/// A panel on the screen, and hands for it.
class Hands
{
public:
    explicit Hands(int solver, const ui::SolverDevices &devices = {})
        : panel(onCpu(), {}, devices)
    {
        panel.resize(1280, 800);
        panel.show();
        static_cast<void>(QTest::qWaitForWindowExposed(&panel));
        auto *tabs = panel.findChild<QTabBar *>("solver");
        QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(solver).center());
    }

    QWidget *form() { return panel.findChild<QStackedWidget *>("forms")->currentWidget(); }

    template <typename Widget>
    Widget *option(const QString &name)
    {
        auto *found = form()->findChild<Widget *>(name);
        if (!found)
            qFatal("there is no option %s", qPrintable(name));
        return found;
    }

    void type(const QString &name, const QString &text)
    {
        auto *combo = form()->findChild<QComboBox *>(name);
        QWidget *field =
            combo ? static_cast<QWidget *>(combo->lineEdit()) : option<QLineEdit>(name);
        show(field);
        QTest::mouseDClick(field, Qt::LeftButton);
        QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClick(field, Qt::Key_Delete);
        QTest::keyClicks(field, text);
    }

    /// By the first letters, as people do.
    void choose(const QString &name, const QString &text)
    {
        auto *combo = option<QComboBox>(name);
        show(combo);
        combo->setFocus();
        QTest::keyClick(combo, Qt::Key_Home);
        for (int i = 0; combo->currentText() != text && i < combo->count(); ++i)
            QTest::keyClick(combo, Qt::Key_Down);
    }

    void toggle(const QString &name)
    {
        auto *box = option<QCheckBox>(name);
        show(box);
        QTest::mouseClick(box, Qt::LeftButton, {}, QPoint(8, box->height() / 2));
    }

    QPushButton *button(const char *name) { return panel.findChild<QPushButton *>(name); }
    void click(const char *name) { QTest::mouseClick(button(name), Qt::LeftButton); }

    ui::ValueSlider *live(const QString &name)
    {
        return panel.findChild<ui::ValueSlider *>("live " + name);
    }
    ui::FieldView *view() { return panel.findChild<ui::FieldView *>(); }
    ui::RunsPanel *runs() { return panel.findChild<ui::RunsPanel *>(); }
    QString problem() { return form()->findChild<QLabel *>("problem")->text(); }
    std::vector<double> shown() { return view()->frame()->slice.values; }
    ui::RunPhase phase() { return panel.run() ? panel.run()->state().phase : ui::RunPhase::failed; }
    std::uint64_t iterations() { return panel.run()->state().report.iterations; }

    bool comesTo(ui::RunPhase wanted)
    {
        return QTest::qWaitFor([&] { return panel.run() && phase() == wanted; }, solvePatience);
    }

    ui::SolvePanel panel;

private:
    void show(QWidget *widget)
    {
        for (auto *area : form()->findChildren<QScrollArea *>())
            area->ensureWidgetVisible(widget);
    }
};

} // namespace gridhelm::test
