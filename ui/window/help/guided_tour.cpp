// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/help/guided_tour.h"

#include "ui/controls/value_slider.h"
#include "ui/window/help/tour_bubble.h"
#include "ui/window/main_window.h"
#include "ui/window/steer/steer_panel.h"
#include "ui/window/views/steered_view.h"

#include <QAction>
#include <QSettings>
#include <QToolBar>

namespace gridhelm::ui {
namespace {

constexpr auto seenKey = "tour was seen";

/// Of the tool bar; the bar itself where there is no room for it.
QWidget *buttonOf(const MainWindow &window, const QString &name)
{
    auto *bar = window.findChild<QToolBar *>("tools");
    for (auto *action : bar->actions()) {
        auto *button = bar->widgetForAction(action);
        if (button && button->isVisible() && button->accessibleName() == name)
            return button;
    }
    return bar;
}

} // namespace

GuidedTour::GuidedTour(MainWindow &window)
    : QObject(&window)
    , m_window(window)
    , m_bubble(new TourBubble(&window))
    , m_stops{
          {"Drag a slider: the field follows at once, for any value between its ends.",
           [&window]() -> QWidget * {
               const auto &sliders = window.steerPanel().sliders();
               return sliders.empty() ? nullptr : sliders.front();
           }},
          {"Here is the field. Turn it by dragging, zoom with the wheel; the keys 1 and up draw it "
           "in other ways.",
           [&window]() -> QWidget * { return &window.view(); }},
          {"Probe tells values: click into the view, or draw a line with Alt.",
           [&window] { return buttonOf(window, "Probe"); }},
          {"Pin the present state as A, go on steering, and see both side by side, in turns, or "
           "their difference.",
           [&window] { return buttonOf(window, "Pin as A"); }},
          {"Accuracy tells how large the errors are: measured ones, and where the grid is too "
           "coarse.",
           [&window] { return buttonOf(window, "Accuracy"); }},
      }
{
    m_bubble->hide();
    connect(m_bubble, &TourBubble::nextWanted, this, &GuidedTour::next);
    connect(m_bubble, &TourBubble::skipWanted, this, &GuidedTour::end);
}

bool GuidedTour::wasSeen()
{
    return QSettings().value(seenKey).toBool();
}

bool GuidedTour::isShown() const
{
    return m_bubble->isVisible();
}

void GuidedTour::start()
{
    m_next = 0;
    next();
}

void GuidedTour::next()
{
    while (m_next < m_stops.size()) {
        const auto &stop = m_stops[m_next++];
        auto *target = stop.target();
        if (!target || !target->isVisible())
            continue;
        m_bubble->say(stop.sentence, QString("%1 of %2").arg(m_next).arg(m_stops.size()),
                      m_next == m_stops.size() ? "&Done" : "&Next", target);
        return;
    }
    end();
}

void GuidedTour::end()
{
    QSettings().setValue(seenKey, true);
    m_bubble->hide();
    m_window.view().setFocus();
}

} // namespace gridhelm::ui
