// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/answers/states_page.h"

#include "data/answers/stoppable_model.h"
#include "data/mesh/place_samples.h"
#include "data/study/study_errors.h"
#include "ui/answers/parallel_plot.h"
#include "ui/controls/plain_text.h"
#include "ui/controls/table_copying.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
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
    m_plot->setAccessibleName("Designs in parallel coordinates");
    m_plot->setToolTip("A line for each design. Drag along an axis to choose a part of it; a click "
                       "on the axis, or Escape, takes that back");
    m_table->setObjectName("states");
    m_table->setAccessibleName("Designs");
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
    m_go->setToolTip("Moves the sliders to the chosen design, as a step that Undo takes back");
    m_go->setEnabled(false);
    auto *row = new QHBoxLayout;
    row->addWidget(m_count, 1);
    row->addWidget(m_go);
    body().addWidget(m_plot, 1);
    body().addWidget(m_table, 1);
    body().addLayout(row);

    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex &now) {
                if (!m_isChanging)
                    take(now);
            });
    connect(m_plot, &ParallelPlot::picked, this, [this](std::size_t line) {
        m_table->setCurrentIndex(
            m_chosen->mapFromSource(m_states->index(static_cast<int>(line), 0)));
    });
    connect(m_plot, &ParallelPlot::chosenChanged, this, [this] {
        keepTaken([this] { m_chosen->chooseAnew(); });
        showCount();
    });
    connect(m_plot, &ParallelPlot::news, this, &StatesPage::news);
    connect(m_plot, &ParallelPlot::failed, this, &StatesPage::failed);
    connect(m_table, &QTableView::activated, this, &StatesPage::goThere);
    connect(m_go, &QPushButton::clicked, this, &StatesPage::goThere);
}

void StatesPage::take(const QModelIndex &row)
{
    m_taken.reset();
    std::optional<std::size_t> line;
    if (const auto source = m_chosen->mapToSource(row); source.isValid()) {
        line = static_cast<std::size_t>(source.row());
        m_taken = m_states->rows()[*line];
    }
    m_go->setEnabled(line.has_value());
    m_plot->setTaken(line);
}

void StatesPage::keepTaken(const std::function<void()> &change)
{
    const auto taken = m_taken;
    const auto scrolled = m_table->verticalScrollBar()->value();
    m_isChanging = true; // Qt takes a neighbour of what goes
    change();
    const auto &rows = m_states->rows();
    const auto found = std::ranges::find_if(rows, [&](const StateRow &row) {
        return taken && row.name == taken->name
               && (!row.isRun || row.parameters == taken->parameters);
    });
    const auto row =
        found == rows.end()
            ? QModelIndex()
            : m_chosen->mapFromSource(m_states->index(static_cast<int>(found - rows.begin()), 0));
    m_table->setCurrentIndex(row);
    m_table->verticalScrollBar()->setValue(scrolled);
    m_isChanging = false;
    take(row);
}

void StatesPage::goThere()
{
    const auto source = m_chosen->mapToSource(m_table->currentIndex());
    if (source.isValid())
        emit placeFound(m_states->rows()[static_cast<std::size_t>(source.row())].parameters);
}

StateRow StatesPage::sliderState() const
{
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    StateRow state{"sliders", sliders(), {}, {}, false};
    state.predicted.assign(set()->responses.size(), unknown);
    if (m_live && m_live->question.set == set()) {
        state.parameters = m_live->question.parameters;
        for (std::size_t k = 0; k < m_live->responses.size(); ++k)
            if (m_live->responses[k].value)
                state.predicted[k] = *m_live->responses[k].value;
    }
    state.responses = state.predicted;
    if (const auto d = set()->space.parameters().size(); state.parameters.size() != d)
        state.parameters.assign(d, unknown); // another study's, for a moment
    return state;
}

void StatesPage::showLive(const std::shared_ptr<const LiveAnswer> &live)
{
    m_live = live;
    if (!set() || m_states->rows().empty() || live->question.set != set())
        return;
    m_states->setRow(0, sliderState());
    m_plot->setLine(0, {m_states->numbers(0), true});
}

void StatesPage::setNamed(const QString &name, const std::optional<std::vector<double>> &place)
{
    const auto known = m_named.find(name);
    if (place ? known != m_named.end() && known->second == *place : known == m_named.end())
        return;
    if (place)
        m_named.insert_or_assign(name, *place);
    else
        m_named.erase(known);
    if (set())
        becomeStale();
}

std::vector<data::RunPlace> StatesPage::named() const
{
    std::vector<data::RunPlace> places;
    for (const auto &[name, place] : m_named)
        places.push_back({name.toStdString(), place});
    return places;
}

void StatesPage::forget()
{
    m_named.clear();
    m_live.reset();
    m_taken.reset();
    m_runs = {};
}

bool StatesPage::isSameQuestion(const AnswerSet &other, std::size_t) const
{
    return areOfOneStudy(*set(), other)
           && std::ranges::equal(set()->responses, other.responses, areSame);
}

namespace {

/// With what the surrogate says of their responses.
std::vector<StateRow> statesAt(const AnswerSet &set, const std::vector<data::RunPlace> &places,
                               const std::stop_token &stop)
{
    std::vector<StateRow> rows;
    for (const auto &place : places)
        rows.push_back({QString::fromStdString(place.name), place.parameters, {}, {}, false});
    for (const auto &response : set.responses) {
        data::requireGoingOn(stop);
        std::vector<double> values(places.size(), std::numeric_limits<double>::quiet_NaN());
        if (response.model)
            values = data::valuesAtRuns(data::stoppable(*response.model, stop), set.space, places,
                                        set.context.cpu())
                         .front();
        for (std::size_t i = 0; i < rows.size(); ++i)
            rows[i].predicted.push_back(values[i]);
    }
    for (auto &row : rows)
        row.responses = row.predicted;
    return rows;
}

/// With their own responses, too; one more than there may be where there are more.
std::vector<StateRow> rowsOfRuns(const AnswerSet &set, const std::stop_token &stop)
{
    std::vector<data::RunPlace> places;
    std::vector<std::vector<double>> own;
    data::againIfChanged([&] {
        data::requireGoingOn(stop);
        const auto study = openAgain(set);
        places = data::runPlaces(study, mostStates + 1);
        own = data::valuesOfRuns(study, set.responses, data::samplesOf(study), places, stop);
    });
    auto rows = statesAt(set, places, stop);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i].isRun = true;
        for (std::size_t k = 0; k < own.size(); ++k)
            rows[i].responses[k] = own[k][i];
    }
    return rows;
}

} // namespace

void StatesPage::refresh()
{
    if (!set()) {
        m_runs = {};
        m_states->setRows({}, {}, {});
        m_plot->show({}, {});
        m_count->clear();
        return;
    }
    auto named = this->named();
    std::erase_if(named, [d = set()->space.parameters().size()](const data::RunPlace &place) {
        return place.parameters.size() != d;
    });
    compute([this, set = set(), named, known = m_runs](const std::stop_token &stop) {
        auto runs = known;
        if (runs.of != set) {
            runs = {set, rowsOfRuns(*set, stop), true};
            runs.areAll = runs.rows.size() <= mostStates;
            runs.rows.resize(std::min(runs.rows.size(), mostStates));
        }
        return [this, runs = std::move(runs), rows = statesAt(*set, named, stop)] {
            show(runs, rows);
        };
    });
}

void StatesPage::show(Runs runs, const std::vector<StateRow> &named)
{
    m_runs = std::move(runs);
    std::vector<StateRow> rows{sliderState()};
    rows.insert(rows.end(), named.begin(), named.end());
    rows.insert(rows.end(), m_runs.rows.begin(), m_runs.rows.end());
    QStringList parameters, responses;
    std::vector<ParallelPlot::Axis> axes;
    for (const auto &parameter : set()->space.parameters()) {
        parameters << QString::fromStdString(parameter.name);
        axes.push_back({parameters.back(), parameter.low, parameter.high,
                        parameter.scale == ParameterScale::logarithmic});
    }
    for (std::size_t k = 0; k < set()->responses.size(); ++k) {
        responses << QString::fromStdString(set()->responses[k].definition.name);
        double low = std::numeric_limits<double>::infinity(), high = -low;
        for (const auto &row : rows)
            for (const double value : {row.responses[k], row.predicted[k]})
                if (!std::isnan(value)) {
                    low = std::min(low, value);
                    high = std::max(high, value);
                }
        axes.push_back({responses.back(), low <= high ? low : 0, low <= high ? high : 1});
    }
    const bool areFirst = m_states->rows().empty();
    keepTaken([&] {
        m_states->setRows(parameters, responses, std::move(rows));
        std::vector<ParallelPlot::Line> lines;
        for (std::size_t i = 0; i < m_states->rows().size(); ++i)
            lines.push_back({m_states->numbers(i), !m_states->rows()[i].isRun});
        m_plot->show(std::move(axes), std::move(lines));
        m_chosen->chooseAnew();
    });
    if (areFirst)
        m_table->resizeColumnsToContents();
    showCount();
}

void StatesPage::showCount()
{
    const auto all = m_states->rowCount(), chosen = m_chosen->rowCount();
    auto text = chosen == all ? QString("%1 designs").arg(all)
                              : QString("%1 of %2 designs").arg(chosen).arg(all);
    if (!m_runs.areAll)
        text += QString("; the first %1 runs").arg(mostStates);
    m_count->setText(text);
}

} // namespace gridhelm::ui
