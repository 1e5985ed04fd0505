// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/campaign/job_table.h"

#include "ui/campaign/job_model.h"

#include <QAction>
#include <QButtonGroup>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSettings>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <array>

namespace gridhelm::ui {
namespace {

constexpr std::array states{data::JobState::waiting, data::JobState::running, data::JobState::done,
                            data::JobState::failed};
constexpr int allStates = 100; // a button's id; the others are JobState's

} // namespace

class JobTable::Filter : public QSortFilterProxyModel
{
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

    void setShown(std::optional<data::JobState> state)
    {
        m_state = state;
        invalidateRowsFilter();
    }

protected:
    bool filterAcceptsRow(int row, const QModelIndex &) const override
    {
        const auto *job = static_cast<JobModel *>(sourceModel())->job(row);
        return !m_state || (job && job->state == *m_state);
    }

private:
    std::optional<data::JobState> m_state;
};

JobTable::JobTable(QWidget *parent)
    : QWidget(parent)
    , m_model(new JobModel(this))
    , m_filter(new Filter(this))
    , m_view(new QTableView(this))
    , m_states(new QButtonGroup(this))
    , m_partial(new QLabel(this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    auto *row = new QHBoxLayout;
    row->setSpacing(2);
    const auto addButton = [&](int id, const QString &name) {
        auto *button = new QToolButton(this);
        button->setCheckable(true);
        button->setText(name);
        button->setObjectName("show-" + name);
        button->setFocusPolicy(Qt::StrongFocus);
        button->setAccessibleName("Show jobs: " + name);
        button->setToolTip("Show only jobs that are in this state");
        m_states->addButton(button, id);
        row->addWidget(button);
    };
    addButton(allStates, "all");
    for (const auto state : states)
        addButton(static_cast<int>(state), jobStateText(state));
    connect(m_states, &QButtonGroup::buttonToggled, this,
            [](QAbstractButton *button, bool isChecked) {
                auto font = button->font(); // dark themes hardly show what is pressed
                font.setBold(isChecked);
                button->setFont(font);
            });
    m_states->button(allStates)->setToolTip("Show all jobs");
    m_states->button(allStates)->setChecked(true);
    m_partial->hide();
    row->addWidget(m_partial);
    row->addStretch(1);
    addResultAction(*row);
    layout->addLayout(row);
    connect(m_states, &QButtonGroup::idClicked, this, [this](int id) {
        m_filter->setShown(id == allStates ? std::nullopt
                                           : std::optional(static_cast<data::JobState>(id)));
    });

    m_filter->setSourceModel(m_model);
    m_filter->setSortRole(JobModel::sortRole);
    m_view->setObjectName("jobTable");
    m_view->setAccessibleName("Jobs");
    m_view->setToolTip("One run of the program each; select one for its log and its result");
    m_view->setModel(m_filter);
    m_view->setSortingEnabled(true);
    m_view->sortByColumn(0, Qt::AscendingOrder);
    m_view->setTabKeyNavigation(false);
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setSelectionMode(QAbstractItemView::SingleSelection);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->setAlternatingRowColors(true);
    m_view->verticalHeader()->hide();
    m_view->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    m_view->horizontalHeader()->setHighlightSections(false);
    m_view->horizontalHeader()->setStretchLastSection(true);
    layout->addWidget(m_view, 1);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &JobTable::currentChanged);
    connect(m_model, &QAbstractItemModel::modelReset, this, &JobTable::currentChanged);
    connect(m_view, &QTableView::activated, this, &JobTable::activated);
    connect(this, &JobTable::currentChanged, this, &JobTable::followCurrent);
    m_view->addAction(m_showResult);
    m_view->setContextMenuPolicy(Qt::ActionsContextMenu);
    followCurrent();
}

void JobTable::addResultAction(QHBoxLayout &row)
{
    m_showResult = new QAction("Show its result", this);
    m_showResult->setObjectName("showResult");
    connect(m_showResult, &QAction::triggered, this, [this] {
        if (const auto *job = current())
            emit resultWanted(job->id);
    });
    auto *button = new QToolButton(this);
    button->setDefaultAction(m_showResult);
    button->setObjectName("showResultButton");
    button->setFocusPolicy(Qt::StrongFocus);
    row.addWidget(button);
}

void JobTable::followCurrent()
{
    const auto *job = m_state ? current() : nullptr;
    const auto why = !job ? "select a job that is done"
                     : m_state->description.kind == data::StudyKind::scalar
                         ? "a scalar study keeps values at its points alone"
                     : job->state != data::JobState::done ? "the selected job is not done"
                     : !m_state->hasSomethingToShow()
                         ? "compress the study first, so that the view can open"
                         : nullptr;
    m_showResult->setEnabled(!why);
    m_showResult->setToolTip(
        QString("Show in the view what the run of the selected job gave, and not the surrogate")
        + (why ? QString(": ") + why : QString()));
}

void JobTable::setState(const StudyStatePtr &state)
{
    m_state = state;
    m_model->setState(state);
    followCurrent();
    for (const auto one : states) {
        const auto count = state ? state->count(one) : 0;
        m_states->button(static_cast<int>(one))
            ->setText(QString("%1 %2").arg(jobStateText(one)).arg(count));
    }
    m_states->button(allStates)->setText(
        QString("all %1").arg(state ? state->allJobs() : std::uint64_t{0}));
    m_partial->setVisible(state && state->jobs.size() < state->allJobs());
    if (state)
        m_partial->setText(QString("%1 of them are listed").arg(state->jobs.size()));
    QStringList titles;
    for (int column = 0; column < m_model->columnCount(); ++column)
        titles << m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    if (titles == m_titles)
        return;
    m_titles = titles;
    const auto width = [this](const QString &text) {
        return fontMetrics().horizontalAdvance(text) + 22; // with the sorting arrow
    };
    for (int column = 0; column < static_cast<int>(titles.size()); ++column) {
        const auto typical =
            column == JobModel::state ? QString("running")
            : column < JobModel::firstParameter || column >= m_model->pointsColumn()
                ? QString("000")
                : QString("0.03125");
        m_view->setColumnWidth(column, std::max(width(titles[column]), width(typical)));
    }
}

void JobTable::showOnly(std::optional<data::JobState> state)
{
    m_states->button(state ? static_cast<int>(*state) : allStates)->setChecked(true);
    m_filter->setShown(state);
}

const JobRow *JobTable::current() const
{
    const auto index = m_view->currentIndex();
    return index.isValid() ? m_model->job(m_filter->mapToSource(index).row()) : nullptr;
}

void JobTable::select(data::JobId job)
{
    const int row = m_model->rowOf(job);
    if (row < 0)
        return;
    const auto index = m_filter->mapFromSource(m_model->index(row, 0));
    if (!index.isValid())
        return;
    m_view->setCurrentIndex(index);
    m_view->scrollTo(index);
}

void JobTable::saveState(QSettings &settings) const
{
    settings.setValue("sortedBy", m_view->horizontalHeader()->sortIndicatorSection());
    settings.setValue("sortOrder",
                      static_cast<int>(m_view->horizontalHeader()->sortIndicatorOrder()));
    settings.setValue("shownState", m_states->checkedId());
}

void JobTable::restoreState(QSettings &settings)
{
    const bool isDescending = settings.value("sortOrder", 0).toInt() == Qt::DescendingOrder;
    m_view->sortByColumn(settings.value("sortedBy", 0).toInt(),
                         isDescending ? Qt::DescendingOrder : Qt::AscendingOrder);
    if (auto *button = m_states->button(settings.value("shownState", allStates).toInt())) {
        const int id = m_states->id(button);
        showOnly(id == allStates ? std::nullopt : std::optional(static_cast<data::JobState>(id)));
    }
}

} // namespace gridhelm::ui
