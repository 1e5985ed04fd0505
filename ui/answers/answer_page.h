// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/answers/answer_set.h"
#include "ui/answers/background_answer.h"

#include <QWidget>

#include <memory>
#include <vector>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace gridhelm::ui {

/// A kind of question about the chosen response. What takes long is asked in the background, when
/// the page is seen; a line at the bottom says so, with a button that takes it back.
class AnswerPage : public QWidget
{
    Q_OBJECT

public:
    explicit AnswerPage(QWidget *parent = nullptr);

    /// Null: there is no response to ask about.
    void setResponse(std::shared_ptr<const AnswerSet> set, std::size_t index);
    /// Values of all parameters at the sliders.
    void setPlace(const std::vector<double> &sliders) { m_sliders = sliders; }
    bool isComputing() const { return m_answer.isRunning(); }
    QString status() const; ///< what the line at the bottom says

signals:
    void news(const QString &sentence);
    void failed(const QString &sentence);

protected:
    /// Another response, or others inputs, or none: what is shown is of the past. Pages that ask by
    /// themselves do it here; it is called when the page is seen.
    virtual void refresh() = 0;

    QVBoxLayout &body() { return *m_body; }
    const std::shared_ptr<const AnswerSet> &set() const { return m_set; }
    std::size_t index() const { return m_index; }
    const std::vector<double> &sliders() const { return m_sliders; }
    const data::StudyResponse &response() const { return m_set->responses[m_index]; }
    /// Takes back what is asked; then refresh(), at once or when the page is seen.
    void becomeStale();
    void compute(BackgroundAnswer::Work work);
    void say(const QString &sentence, bool isProblem = false);
    /// Says why nothing can be asked about the chosen response, if that is so.
    bool saysProblem();

    void showEvent(QShowEvent *event) override;

private:
    std::shared_ptr<const AnswerSet> m_set;
    std::size_t m_index = 0;
    std::vector<double> m_sliders;
    bool m_isStale = false;
    BackgroundAnswer m_answer;
    QVBoxLayout *m_body;
    QLabel *m_status;
    QPushButton *m_cancel;
};

} // namespace gridhelm::ui
