// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/answers/answer_set.h"
#include "ui/answers/background_answer.h"

#include <QWidget>

#include <cstddef>
#include <memory>
#include <optional>
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

    /// Null: there is no response to ask about. The same response of a study that has grown waits
    /// until what is being asked has been answered.
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
    /// The same response, but the study has grown: what is shown is of use until there is better.
    virtual void grow() { refresh(); }
    /// Whether a response of another set is what the page is about already. There is a set.
    virtual bool isSameQuestion(const AnswerSet &other, std::size_t index) const;

    QVBoxLayout &body() { return *m_body; }
    const std::shared_ptr<const AnswerSet> &set() const { return m_set; }
    std::size_t index() const { return m_index; }
    const std::vector<double> &sliders() const { return m_sliders; }
    const data::StudyResponse &response() const { return m_set->responses[m_index]; }
    /// Takes back what is asked; then refresh(), at once or when the page is seen.
    void becomeStale();
    /// The response in a set that is here, or waits; nothing for others.
    std::optional<std::size_t> indexIn(const std::shared_ptr<const AnswerSet> &set) const;
    void compute(BackgroundAnswer::Work work);
    void say(const QString &sentence, bool isProblem = false);
    /// Says why nothing can be asked about the chosen response, if that is so.
    bool saysProblem();

    void showEvent(QShowEvent *event) override;

private:
    enum class Stale { no, hasGrown, isOther };

    void bringUpToDate();
    void adoptWaiting();
    void takeWaiting();
    void cancel();

    std::shared_ptr<const AnswerSet> m_set;
    std::size_t m_index = 0;
    std::shared_ptr<const AnswerSet> m_waitingSet; ///< null: none
    std::size_t m_waitingIndex = 0;
    std::vector<double> m_sliders;
    Stale m_stale = Stale::no;
    BackgroundAnswer m_answer;
    QVBoxLayout *m_body;
    QLabel *m_status;
    QPushButton *m_cancel;
};

} // namespace gridhelm::ui
