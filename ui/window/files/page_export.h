// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/answers/background_answer.h"

#include <QObject>
#include <QString>

class QWidget;

namespace gridhelm::ui {

class MessageBar;
class SteeringModel;

/// Writes the open study as an interactive page, in the background, one at a time.
class PageExport : public QObject
{
    Q_OBJECT

public:
    /// Both must outlive it.
    PageExport(const SteeringModel &model, MessageBar &messages, QObject *parent);
    ~PageExport() override;

    /// Asks where to.
    void ask(QWidget &parent);
    /// It opens where the sliders are.
    void start(const QString &page);

private:
    const SteeringModel &m_model;
    MessageBar &m_messages;
    BackgroundAnswer m_writing;
};

} // namespace gridhelm::ui
