// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/main_window.h"

#include <QTimer>

#include <functional>
#include <vector>

namespace gridhelm::desktop {

/// Shows what the window can do, by itself: does one thing after the other, as a hand would, and
/// saves a picture of the window after each.
class Tour : public QObject
{
    Q_OBJECT

public:
    /// `folder` is made if it is not there. Throws gridhelm::Error if it cannot be.
    Tour(ui::MainWindow &window, const QString &folder);

    void start();
    const QStringList &pictures() const { return m_pictures; }

signals:
    /// `problem`: a sentence; empty if all went well.
    void ended(const QString &problem);

private:
    struct Step
    {
        QString name; ///< of the picture; empty: none
        std::function<void()> act;
    };

    void addSteps();
    void click(QPointF at);
    void dragSteps(std::size_t slider, double from, double to);
    void waitSteps(int count);
    void next();
    void takePicture();

    ui::MainWindow &m_window;
    QString m_folder;
    std::vector<Step> m_steps;
    std::size_t m_step = 0;
    QTimer m_settled; ///< since the last frame
    QTimer m_patience;
    QStringList m_pictures;
};

} // namespace gridhelm::desktop
