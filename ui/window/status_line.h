// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/steering/field_frame.h"

#include <QObject>
#include <QTimer>

#include <memory>

class QLabel;
class QStatusBar;

namespace gridhelm::ui {

class MessageBar;
struct BandAtState;
class SteeredView;

/// Figures of what a view shows, in the status bar: the range of its values, how long the last
/// picture took, the error indicator, what evaluates; and a button for the list of messages.
/// Written some times a second: nobody reads a hundred.
class StatusLine : public QObject
{
    Q_OBJECT

public:
    /// All must outlive it.
    StatusLine(QStatusBar &bar, const SteeredView &view, MessageBar &messages);

    /// What evaluates, and its threads.
    void setBackend(const QString &text);
    /// Instead of figures, until the next picture.
    void say(const QString &what);
    /// There is nothing to say figures of.
    void clear();

    /// This frame's picture is on the screen, so many seconds after what asked for it.
    void frameShown(std::shared_ptr<const FieldFrame> frame, double latency);
    /// Shown with the frames of its state.
    void setBand(std::shared_ptr<const BandAtState> band);
    /// Title or range of the view's scene may be others.
    void sceneChanged();

private:
    void addButtonOf(MessageBar &messages, QStatusBar &bar);
    void write();
    QString bandText() const; ///< of the frame; empty: none is known

    const SteeredView &m_view;
    QLabel *m_shown, *m_latency, *m_indicator, *m_backend;
    std::shared_ptr<const FieldFrame> m_frame; ///< the last one, also if it is a part
    double m_seconds = 0;                      ///< its latency
    std::shared_ptr<const BandAtState> m_band; ///< the last one
    QTimer m_soon;
};

} // namespace gridhelm::ui
