// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>
#include <vector>

class QWidget;

namespace gridhelm::ui {

class MainWindow;
class TourBubble;

/// Five sentences for who sees the window with a study for the first time, each in a bubble that
/// points at what it speaks of. Over when all were read, or when it is skipped.
class GuidedTour : public QObject
{
    Q_OBJECT

public:
    explicit GuidedTour(MainWindow &window);

    /// From its beginning.
    void start();
    bool isShown() const;

    /// Whether some user of these settings has seen it to its end, or skipped it.
    static bool wasSeen();

private:
    struct Stop
    {
        const char *sentence;
        std::function<QWidget *()> target; ///< null: it is not to be seen at present
    };

    void next();
    void end();

    MainWindow &m_window;
    TourBubble *m_bubble;
    std::vector<Stop> m_stops;
    std::size_t m_next = 0;
};

} // namespace gridhelm::ui
