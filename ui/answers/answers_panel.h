// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/execution_context.h"
#include "ui/answers/answer_set.h"
#include "ui/answers/background_answer.h"
#include "ui/answers/live_service.h"
#include "ui/steering/steering_model.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

class QGridLayout;
class QLabel;
class QListView;
class QPushButton;
class QTabWidget;

namespace gridhelm::ui {

class AnswerPage;
class GoalPage;
class InfluencePage;
class MatchPage;
class ResponseForm;
class ResponseListModel;
class StatesPage;
class UncertaintyPage;

/// What people ask of a study: its responses as rows, which follow the sliders, and for the chosen
/// one what influences it, how sure it is, where it is best, and which parameters explain what was
/// measured. Nothing is computed in the GUI's thread.
class AnswersPanel : public QWidget
{
    Q_OBJECT

public:
    AnswersPanel(SteeringModel &model, const ExecutionContext &context, QWidget *parent = nullptr);
    ~AnswersPanel() override;

    /// Whether it can be seen: nothing is read or evaluated otherwise.
    void setActive(bool isActive);
    /// No study is open any more.
    void clearStudy();

    ResponseListModel *responses() const { return m_responses; }
    QListView *list() const { return m_list; }
    ResponseForm *form() const { return m_form; }
    QTabWidget *pages() const { return m_pages; }
    InfluencePage *influence() const { return m_influence; }
    UncertaintyPage *uncertainty() const { return m_uncertainty; }
    GoalPage *goal() const { return m_goal; }
    MatchPage *match() const { return m_match; }
    StatesPage *states() const { return m_states; }
    /// What was pointed at in the view, where the form of a response is open. False: nobody here
    /// wants it.
    bool takePoint(const std::array<double, 3> &place);
    bool takeLine(const std::array<double, 3> &from, const std::array<double, 3> &to);
    /// Nothing is being read or written, and what is shown belongs to the sliders.
    bool isSettled() const;

signals:
    /// By the user, who has moved parameters here.
    void moved();
    /// The user wants real runs there: values of all parameters.
    void runWanted(const std::vector<double> &parameters);
    void news(const QString &sentence);
    void failed(const QString &sentence);

private:
    void makeList();
    void makePages();
    void studyChanged();
    void open();
    void openLater();
    void rest();
    void cancelReading();
    void showSet(const std::shared_ptr<const AnswerSet> &set);
    void showNotice();
    void choose();
    void setPlace();
    void setPinned();
    void ask();
    void showLive(const std::shared_ptr<const LiveAnswer> &live);
    void moveTo(const QString &what, const std::vector<double> &parameters);
    const data::ResponseDefinition *chosen() const;
    void openForm(const data::ResponseDefinition *edited);
    /// Writes in the background, and reads what is not known then.
    using Writing = std::function<std::shared_ptr<const AnswerSet>(const std::stop_token &stop)>;
    void write(const Writing &work, const std::string &selected, const QString &sentence);
    void complain(const QString &sentence);

    SteeringModel &m_model;
    ExecutionContext m_context;
    std::shared_ptr<const StudyFacts> m_study; ///< null: none is open
    bool m_isActive = false, m_isStale = false;
    bool m_isAwaited = false; ///< what is to be read next was written here
    bool m_isShowing = false; ///< rows are being replaced
    /// Of the study's responses, those that were read; as the rows, or more. Null: none.
    std::shared_ptr<const AnswerSet> m_known;
    QElapsedTimer m_sinceOpening;
    QTimer m_rest;           ///< between two readings
    std::size_t m_moved = 0; ///< the parameter that was moved last
    std::string m_selected;  ///< response
    QString m_problem;       ///< why there are no responses

    LiveService m_live;
    BackgroundAnswer m_reading, m_writing;
    ResponseListModel *m_responses;
    QListView *m_list;
    QLabel *m_notice;
    QPushButton *m_add, *m_edit, *m_remove;
    ResponseForm *m_form;
    QGridLayout *m_tabs; ///< a button for each page: in a narrow panel tabs would be cut off
    QTabWidget *m_pages;
    UncertaintyPage *m_uncertainty; ///< has the inputs that others use
    InfluencePage *m_influence;
    GoalPage *m_goal;
    MatchPage *m_match;
    StatesPage *m_states;
};

} // namespace gridhelm::ui
