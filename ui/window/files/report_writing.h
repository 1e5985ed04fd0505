// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/answers/background_answer.h"

#include <QObject>
#include <QString>

#include <vector>

namespace gridhelm::ui {

class MessageBar;
class SteeringModel;

/// Writes a page for colleagues about the open study, in the background, one at a time.
class ReportWriting : public QObject
{
    Q_OBJECT

public:
    /// Both must outlive it.
    ReportWriting(const SteeringModel &model, MessageBar &messages, QObject *parent);

    /// Asks where to.
    void ask(QWidget &parent);
    /// Of the study that is open, with values at the sliders.
    void start(const QString &page);
    bool isRunning() const { return m_writing.isRunning(); }

private:
    const SteeringModel &m_model;
    MessageBar &m_messages;
    BackgroundAnswer m_writing;
};

} // namespace gridhelm::ui
