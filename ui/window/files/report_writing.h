// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/answers/study_report.h"
#include "ui/answers/background_answer.h"

#include <QObject>
#include <QString>

#include <vector>

namespace gridhelm::ui {

class AnswersPanel;
class MessageBar;
class SteeringModel;
class ViewArea;
struct ViewPicture;

/// Writes a page for colleagues about the open study, in the background, one at a time.
class ReportWriting : public QObject
{
    Q_OBJECT

public:
    /// All must outlive it. `answers` knows what was found.
    ReportWriting(const SteeringModel &model, ViewArea &area, const AnswersPanel &answers,
                  MessageBar &messages, QObject *parent);

    /// Asks where to.
    void ask(QWidget &parent);
    /// Of the study that is open, with values at the sliders, what the views show, and what was
    /// found.
    void start(const QString &page);

private:
    data::ReportQuestion question() const;
    std::vector<std::string> findings() const;
    void write(const QString &page, const std::vector<ViewPicture> &views);

    const SteeringModel &m_model;
    ViewArea &m_area;
    const AnswersPanel &m_answers;
    MessageBar &m_messages;
    BackgroundAnswer m_writing;
    bool m_isTaking = false; ///< pictures
};

} // namespace gridhelm::ui
