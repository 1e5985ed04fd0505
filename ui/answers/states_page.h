// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/answers/run_places.h"
#include "ui/answers/answer_page.h"
#include "ui/answers/live_answer.h"

#include <map>
#include <optional>
#include <vector>

class QLabel;
class QPushButton;
class QTableView;

namespace gridhelm::ui {

class ChosenStates;
class ParallelPlot;
class StateList;
struct StateRow;

/// All states there are to go to: where the sliders are, what is pinned, what was found on the
/// other pages, and the runs; as lines in parallel coordinates and as rows of a table.
class StatesPage : public AnswerPage
{
    Q_OBJECT

public:
    explicit StatesPage(QWidget *parent = nullptr);

    /// What the responses are at the sliders.
    void showLive(const LiveAnswer &live);
    /// A place that has a name: parameters in their units; none: there is none of that name.
    void setNamed(const QString &name, const std::optional<std::vector<double>> &place);
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
    using Names = std::map<QString, std::vector<double>>;

    void show(const std::vector<data::RunPlace> &places,
              const std::vector<std::vector<double>> &values, std::uint64_t named);
    void showCount();
    void goThere();
    StateRow sliderState() const;

    Names m_named;
    std::optional<LiveAnswer> m_live;
    StateList *m_states;
    ChosenStates *m_chosen;
    ParallelPlot *m_plot;
    QTableView *m_table;
    QPushButton *m_go;
    QLabel *m_count;
};

} // namespace gridhelm::ui
