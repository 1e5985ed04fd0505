// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/answers/run_places.h"
#include "ui/answers/answer_page.h"
#include "ui/answers/live_answer.h"
#include "ui/answers/state_list.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

class QLabel;
class QModelIndex;
class QPushButton;
class QTableView;

namespace gridhelm::ui {

class ChosenStates;
class ParallelPlot;

/// All states there are to go to: where the sliders are, what is pinned, what was found on the
/// other pages, and the runs; as lines in parallel coordinates and as rows of a table.
class StatesPage : public AnswerPage
{
    Q_OBJECT

public:
    explicit StatesPage(QWidget *parent = nullptr);

    /// What the responses are at the sliders.
    void showLive(const std::shared_ptr<const LiveAnswer> &live);
    /// A place that has a name: parameters in their units; none: there is none of that name.
    void setNamed(const QString &name, const std::optional<std::vector<double>> &place);
    /// The same, of whatever study was asked about last.
    std::vector<data::RunPlace> named() const;
    /// What was found is of another study.
    void forget();
    StateList *states() const { return m_states; }
    ParallelPlot *plot() const { return m_plot; }
    QTableView *table() const { return m_table; }

signals:
    /// The sliders are to go there.
    void placeFound(const std::vector<double> &parameters);

protected:
    void refresh() override;
    bool isSameQuestion(const AnswerSet &other, std::size_t index) const override;

private:
    /// The study's runs, as they are with a set of responses.
    struct Runs
    {
        std::shared_ptr<const AnswerSet> of; ///< null: not known yet
        std::vector<StateRow> rows;
        bool areAll = true; ///< else the first ones
    };

    void show(Runs runs, const std::vector<StateRow> &named);
    /// What changes rows, after which the one that was taken is so still, if it is there.
    void keepTaken(const std::function<void()> &change);
    void take(const QModelIndex &row);
    void showCount();
    void goThere();
    StateRow sliderState() const;

    std::map<QString, std::vector<double>> m_named;
    std::shared_ptr<const LiveAnswer> m_live; ///< null: not known yet
    Runs m_runs;
    std::optional<StateRow> m_taken;
    bool m_isChanging = false; ///< rows go and come
    StateList *m_states;
    ChosenStates *m_chosen;
    ParallelPlot *m_plot;
    QTableView *m_table;
    QPushButton *m_go;
    QLabel *m_count;
};

} // namespace gridhelm::ui
