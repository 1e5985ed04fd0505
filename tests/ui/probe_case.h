// SPDX-License-Identifier: GPL-3.0-or-later
//
// A window whose field is probed, and what the panel Probe is to say.
#pragma once

#include "data/evaluate/study_fields.h"
#include "tests/core/on_cpu.h"
#include "tests/ui/window_case.h"
#include "ui/probe/probe_answer.h"
#include "ui/probe/probe_panel.h"
#include "ui/probe/value_tree.h"

#include <QDockWidget>
#include <QTabBar>
#include <QTabWidget>

#include <algorithm>
#include <cmath>

namespace gridhelm::test {

/// What data::StudyFields says, of any kind of study.
inline std::vector<float> wholeField(const std::filesystem::path &path, data::FieldIndex field,
                                     const std::vector<double> &parameters)
{
    data::StudyFields fields(data::Study::open(path), sparse::makeOmpBackend(test::onCpu(1)));
    std::vector<float> values(fields.fields().at(field).values());
    fields.evaluate(field, parameters, {values});
    return values;
}

inline bool isNear(double a, double b)
{
    return std::abs(a - b) <= 1e-5 * std::max(1.0, std::abs(b));
}

inline double magnitude(const std::vector<float> &values, std::size_t entity,
                        std::size_t components)
{
    double sum = 0;
    for (std::size_t c = 0; c < components; ++c)
        sum += std::pow(static_cast<double>(values[entity * components + c]), 2);
    return std::sqrt(sum);
}

inline QPoint placeIn(const QWidget &widget, double x, double y)
{
    return {static_cast<int>(x * widget.width()), static_cast<int>(y * widget.height())};
}

/// A probed study.
class ProbedWindow : public OpenWindow
{
public:
    using OpenWindow::OpenWindow;

    ui::ProbePanel &panel() { return window->probePanel(); }
    ui::SceneWidget &view() { return *window->view().sceneWidget(); }
    QDockWidget &dock() { return *window->findChild<QDockWidget *>("Probe"); }
    QAction *toggle() { return dock().toggleViewAction(); }

    /// Until the panel says all that was asked, of the present parameters.
    bool waitForProbe()
    {
        return QTest::qWaitFor(
            [this] {
                const auto &now = model().now();
                return panel().isSettled()
                       && panel().answer()->question.parameters == now.parameters
                       && panel().answer()->question.field == now.field;
            },
            waitMilliseconds);
    }
    bool click(double x, double y)
    {
        QTest::mouseClick(&view(), Qt::LeftButton, {}, placeIn(view(), x, y));
        return waitForProbe();
    }
    bool dragLine(QPoint from, QPoint to)
    {
        QTest::mousePress(&view(), Qt::LeftButton, Qt::AltModifier, from);
        QTest::mouseMove(&view(), (from + to) / 2);
        QTest::mouseMove(&view(), to);
        QTest::mouseRelease(&view(), Qt::LeftButton, Qt::AltModifier, to);
        return waitForLine();
    }
    bool waitForLine()
    {
        return waitForFrame()
               && QTest::qWaitFor(
                   [this] {
                       const auto &answer = panel().answer();
                       return answer && answer->line
                              && answer->question.frame == window->view().frame()
                              && panel().isSettled();
                   },
                   waitMilliseconds);
    }
    /// For who has a place already.
    bool waitForMap()
    {
        return QTest::qWaitFor([this] { return panel().answer()->map && panel().isSettled(); },
                               waitMilliseconds);
    }
    void showPage(int index)
    {
        auto *bar = panel().pages()->tabBar();
        QTest::mouseClick(bar, Qt::LeftButton, {}, bar->tabRect(index).center());
    }
    /// As the tree shows it.
    double shown(int field, int component = -1)
    {
        const auto *item = panel().values()->topLevelItem(field);
        if (component >= 0)
            item = item->child(component);
        bool isNumber = false;
        const double value = item->text(ui::ValueTree::valueColumn).toDouble(&isNumber);
        return isNumber ? value : std::nan("");
    }
};

} // namespace gridhelm::test
