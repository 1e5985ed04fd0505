// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/answers/states_page.h"

#include "data/answers/stoppable_model.h"
#include "ui/answers/parallel_plot.h"
#include "ui/answers/state_list.h"
#include "ui/controls/plain_text.h"
#include "ui/controls/table_copying.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace gridhelm::ui {
namespace {

constexpr std::size_t mostStates = 2000; ///< that anybody can look at

} // namespace

/// Rows that pass the plot's axes where they are chosen, sorted by a column.
class ChosenStates : public QSortFilterProxyModel
{
public:
    /// Belongs to the states.
    ChosenStates(StateList &states, const ParallelPlot &plot)
        : QSortFilterProxyModel(&states)
        , m_states(states)
        , m_plot(plot)
    {
        setSourceModel(&states);
        setSortRole(StateList::sortRole);
    }

    void chooseAnew() { invalidateFilter(); }

protected:
    bool filterAcceptsRow(int row, const QModelIndex &) const override
    {
        return m_plot.isChosen(m_states.numbers(static_cast<std::size_t>(row)));
    }

private:
    const StateList &m_states;
    const ParallelPlot &m_plot;
};

StatesPage::StatesPage(QWidget *parent)
    : AnswerPage(parent)
    , m_states(new StateList(this))
    , m_plot(new ParallelPlot([this] { return m_states->csv(); }, this))
    , m_table(new QTableView(this))
    , m_go(new QPushButton("Go there", this))
    , m_count(new PlainLabel(this))
{
    m_chosen = new ChosenStates(*m_states, *m_plot);
    m_plot->setObjectName("parallelCoordinates");
    m_plot->setAccessibleName("States in parallel coordinates");
    m_plot->setToolTip("A line for each state. Drag along an axis to choose a part of it; a click "
                       "on the axis, or Escape, takes that back");
    m_table->setObjectName("states");
    m_table->setAccessibleName("States");
    m_table->setModel(m_chosen);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(0, Qt::AscendingOrder);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() + 6);
    m_table->setMinimumHeight(120);
    new TableCopying(*m_table);
    m_count->setObjectName("stateCount");
    m_go->setObjectName("goToState");
    m_go->setToolTip("Moves the sliders to the chosen state, as a step that Undo takes back");
    m_go->setEnabled(false);
    auto *row = new QHBoxLayout;
    row->addWidget(m_count, 1);
    row->addWidget(m_go);
    body().addWidget(m_plot, 1);
    body().addWidget(m_table, 1);
    body().addLayout(row);

    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex &now) {
                m_go->setEnabled(now.isValid());
                const auto source = m_chosen->mapToSource(now);
                m_plot->setTaken(source.isValid()
                                     ? std::optional(static_cast<std::size_t>(source.row()))
                                     : std::nullopt);
            });
    connect(m_plot, &ParallelPlot::picked, this, [this](std::size_t line) {
        m_table->setCurrentIndex(
            m_chosen->mapFromSource(m_states->index(static_cast<int>(line), 0)));
    });
    connect(m_plot, &ParallelPlot::chosenChanged, this, [this] {
        m_chosen->chooseAnew();
        showCount();
    });
    connect(m_plot, &ParallelPlot::news, this, &StatesPage::news);
    connect(m_plot, &ParallelPlot::failed, this, &StatesPage::failed);
    connect(m_table, &QTableView::activated, this, &StatesPage::goThere);
    connect(m_go, &QPushButton::clicked, this, &StatesPage::goThere);
}

void StatesPage::goThere()
{
    const auto source = m_chosen->mapToSource(m_table->currentIndex());
    if (source.isValid())
        emit placeFound(m_states->rows()[static_cast<std::size_t>(source.row())].parameters);
}

StateRow StatesPage::sliderState() const
{
    StateRow state{"sliders", sliders(), {}, false};
    state.responses.assign(set()->responses.size(), std::numeric_limits<double>::quiet_NaN());
    if (m_live && m_live->question.set == set()) {
        state.parameters = m_live->question.parameters;
        for (std::size_t k = 0; k < m_live->responses.size(); ++k)
            if (m_live->responses[k].value)
                state.responses[k] = *m_live->responses[k].value;
    }
    return state;
}

void StatesPage::showLive(const LiveAnswer &live)
{
    m_live = live;
    if (!isVisible() || !set() || m_states->rows().empty() || live.question.set != set())
        return;
    m_states->setRow(0, sliderState());
    m_plot->setLine(0, {m_states->numbers(0), true});
}

void StatesPage::setNamed(const QString &name, const std::optional<std::vector<double>> &place)
{
    const auto before = m_named;
    if (place)
        m_named.insert_or_assign(name, *place);
    else
        m_named.erase(name);
    if (m_named != before && set())
        becomeStale();
}

void StatesPage::forget()
{
    m_named.clear();
    m_live.reset();
}

bool StatesPage::isSameQuestion(const AnswerSet &other, std::size_t) const
{
    return areOfOneStudy(*set(), other)
           && std::ranges::equal(
               set()->responses, other.responses, [](const auto &now, const auto &then) {
                   return now.definition == then.definition && now.problem == then.problem;
               });
}

void StatesPage::refresh()
{
    if (!set()) {
        m_states->setRows({}, {});
        m_plot->show({}, {});
        m_count->clear();
        return;
    }
    std::vector<data::RunPlace> named;
    for (const auto &[name, place] : m_named)
        if (place.size() == set()->space.parameters().size())
            named.push_back({name.toStdString(), place});
    compute([this, set = set(), named](const std::stop_token &stop) {
        auto places = named;
        for (auto &run : data::runPlaces(data::Study::open(set->path), mostStates))
            places.push_back(std::move(run));
        const std::vector<double> unknown(places.size(), std::numeric_limits<double>::quiet_NaN());
        std::vector<std::vector<double>> values;
        for (const auto &response : set->responses) {
            data::requireGoingOn(stop);
            values.push_back(response.model
                                 ? data::valuesAtRuns(data::stoppable(*response.model, stop),
                                                      set->space, places, set->context.cpu())
                                       .front()
                                 : unknown);
        }
        return [this, places = std::move(places), values = std::move(values),
                count = named.size()] { show(places, values, count); };
    });
}

void StatesPage::show(const std::vector<data::RunPlace> &places,
                      const std::vector<std::vector<double>> &values, std::uint64_t named)
{
    const auto &parameters = set()->space.parameters();
    std::vector<StateRow> rows{sliderState()};
    for (std::size_t i = 0; i < places.size(); ++i) {
        auto &row = rows.emplace_back();
        row.name = QString::fromStdString(places[i].name);
        row.parameters = places[i].parameters;
        row.isRun = i >= named;
        for (const auto &response : values)
            row.responses.push_back(response[i]);
    }
    QStringList columns;
    std::vector<ParallelPlot::Axis> axes;
    for (const auto &parameter : parameters) {
        columns << QString::fromStdString(parameter.name);
        axes.push_back({columns.back(), parameter.low, parameter.high,
                        parameter.scale == ParameterScale::logarithmic});
    }
    for (std::size_t k = 0; k < values.size(); ++k) {
        columns << QString::fromStdString(set()->responses[k].definition.name);
        double low = std::numeric_limits<double>::infinity(), high = -low;
        for (const auto &row : rows) {
            if (std::isnan(row.responses[k]))
                continue;
            low = std::min(low, row.responses[k]);
            high = std::max(high, row.responses[k]);
        }
        axes.push_back({columns.back(), low <= high ? low : 0, low <= high ? high : 1});
    }
    m_states->setRows(columns, std::move(rows));
    std::vector<ParallelPlot::Line> lines;
    for (std::size_t i = 0; i < m_states->rows().size(); ++i)
        lines.push_back({m_states->numbers(i), !m_states->rows()[i].isRun});
    m_plot->show(std::move(axes), std::move(lines));
    m_chosen->chooseAnew();
    m_table->resizeColumnsToContents();
    m_go->setEnabled(false);
    showCount();
}

void StatesPage::showCount()
{
    const auto all = m_states->rowCount(), chosen = m_chosen->rowCount();
    auto text = chosen == all ? QString("%1 states").arg(all)
                              : QString("%1 of %2 states").arg(chosen).arg(all);
    if (static_cast<std::size_t>(all) > mostStates)
        text += QString("; the first %1 runs").arg(mostStates);
    m_count->setText(text);
}

} // namespace gridhelm::ui
