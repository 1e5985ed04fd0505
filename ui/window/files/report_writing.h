// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/answers/study_report.h"
#include "ui/answers/background_answer.h"

#include <QObject>
#include <QString>

#include <memory>
#include <mutex>
#include <vector>

namespace gridhelm::ui {

class AnswersPanel;
class MessageBar;
class SteeringModel;
class ViewArea;
struct StudyFacts;
struct ViewPicture;

/// Writes a page for colleagues about the open study, in the background, one at a time.
class ReportWriting : public QObject
{
    Q_OBJECT

public:
    /// All must outlive it. `answers` knows what was found.
    ReportWriting(const SteeringModel &model, ViewArea &area, const AnswersPanel &answers,
                  MessageBar &messages, QObject *parent);
    ~ReportWriting() override;

    /// Asks where to, and as what.
    void ask(QWidget &parent);
    /// Of the study that is open, with values at the sliders, what the views show, and what was
    /// found.
    void start(const QString &page);

private:
    data::ReportQuestion question() const;
    std::vector<std::string> findings() const;
    void write(const QString &page, const std::shared_ptr<const StudyFacts> &study,
               const std::vector<ViewPicture> &views);

    const SteeringModel &m_model;
    ViewArea &m_area;
    const AnswersPanel &m_answers;
    MessageBar &m_messages;
    BackgroundAnswer m_writing;
    bool m_isTaking = false; ///< pictures
    /// Held by the thread while Qt encodes pictures and draws pages, which it can do only as long
    /// as there is a program.
    std::shared_ptr<std::mutex> m_drawing = std::make_shared<std::mutex>();
};

} // namespace gridhelm::ui
