// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/answers/answers_panel.h"

#include "ui/answers/answer_text.h"
#include "ui/answers/goal_page.h"
#include "ui/answers/influence_page.h"
#include "ui/answers/input_rows.h"
#include "ui/answers/match_page.h"
#include "ui/answers/response_delegate.h"
#include "ui/answers/response_form.h"
#include "ui/answers/response_list_model.h"
#include "ui/answers/states_page.h"
#include "ui/answers/uncertainty_page.h"
#include "ui/controls/plain_text.h"

#include <QButtonGroup>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QListView>
#include <QPushButton>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

namespace gridhelm::ui {
namespace {

constexpr int mostRowsSeen = 6;
constexpr qint64 longestRest = 600'000; ///< milliseconds

/// Of what is likely after a matching; nothing if it says nothing of some parameter.
std::optional<std::vector<double>> meanPlace(const KnownAfter &known)
{
    auto held = known.held;
    for (std::size_t i = 0; i < known.samples.parameters.size(); ++i) {
        const auto &column = known.samples.columns[i];
        held.at(known.samples.parameters[i]) =
            std::accumulate(column.begin(), column.end(), 0.0) / static_cast<double>(column.size());
    }
    std::vector<double> place;
    for (const auto &value : held) {
        if (!value)
            return std::nullopt;
        place.push_back(*value);
    }
    return place;
}

} // namespace

AnswersPanel::AnswersPanel(SteeringModel &model, const ExecutionContext &context, QWidget *parent)
    : QWidget(parent)
    , m_model(model)
    , m_context(context)
    , m_responses(new ResponseListModel(this))
    , m_list(new QListView(this))
    , m_notice(new PlainLabel(this))
    , m_add(new QPushButton("Add...", this))
    , m_edit(new QPushButton("Edit...", this))
    , m_remove(new QPushButton("Remove", this))
    , m_form(new ResponseForm(this))
    , m_tabs(new QGridLayout)
    , m_pages(new QTabWidget(this))
    , m_uncertainty(new UncertaintyPage(this))
    , m_influence(new InfluencePage(*m_uncertainty->inputs(), this))
    , m_goal(new GoalPage(this))
    , m_match(new MatchPage(*m_uncertainty->inputs(), this))
    , m_states(new StatesPage(this))
{
    setObjectName("answers");
    makeList();
    makePages();
    auto *buttons = new QHBoxLayout;
    buttons->addWidget(m_add);
    buttons->addWidget(m_edit);
    buttons->addWidget(m_remove);
    buttons->addStretch(1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    layout->addWidget(m_notice);
    layout->addWidget(m_list);
    layout->addLayout(buttons);
    layout->addWidget(m_form);
    layout->addLayout(m_tabs);
    layout->addWidget(m_pages, 1);

    connect(&model, &SteeringModel::studyChanged, this, &AnswersPanel::studyChanged);
    connect(&model, &SteeringModel::changed, this, [this](const Steering &before) {
        setPinned();
        const auto &now = m_model.now().parameters;
        if (now == before.parameters)
            return;
        for (std::size_t t = 0; t < std::min(now.size(), before.parameters.size()); ++t)
            if (now[t] != before.parameters[t])
                m_moved = t;
        setPlace();
        ask();
    });
    connect(&m_live, &LiveService::answered, this, &AnswersPanel::showLive);
    connect(&m_live, &LiveService::failed, this, &AnswersPanel::complain);
    connect(&m_reading, &BackgroundAnswer::failed, this, [this](const QString &sentence) {
        m_problem = sentence;
        showSet(nullptr);
    });
    connect(&m_reading, &BackgroundAnswer::runningChanged, this, [this](bool isRunning) {
        if (!isRunning)
            rest();
    });
    m_rest.setSingleShot(true);
    connect(&m_rest, &QTimer::timeout, this, [this] {
        if (m_study && m_isStale && m_isActive)
            open();
    });
    connect(&m_writing, &BackgroundAnswer::failed, this, &AnswersPanel::complain);
    connect(&m_writing, &BackgroundAnswer::runningChanged, m_form, &ResponseForm::setBusy);
    connect(&m_writing, &BackgroundAnswer::runningChanged, this, &AnswersPanel::showNotice);
    clearStudy();
}

AnswersPanel::~AnswersPanel() = default;

void AnswersPanel::makeList()
{
    m_list->setObjectName("responses");
    m_list->setAccessibleName("Responses");
    m_list->setModel(m_responses);
    m_list->setItemDelegate(new ResponseDelegate(m_list));
    m_list->setUniformItemSizes(true);
    m_notice->setObjectName("answersNotice");
    m_notice->setWordWrap(true);
    m_add->setObjectName("addResponse");
    m_add->setToolTip("Say which number of a state you are after: a mean, a maximum, a value at a "
                      "point, of a field or a formula of fields");
    m_edit->setObjectName("editResponse");
    m_edit->setToolTip("Another definition of the chosen response");
    m_remove->setObjectName("removeResponse");
    m_remove->setToolTip("The study forgets the chosen response");
    m_form->hide();
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &AnswersPanel::choose);
    connect(m_list, &QListView::activated, this, [this] { openForm(chosen()); });
    connect(m_add, &QPushButton::clicked, this, [this] { openForm(nullptr); });
    connect(m_edit, &QPushButton::clicked, this, [this] {
        if (const auto *edited = chosen())
            openForm(edited);
    });
    connect(m_remove, &QPushButton::clicked, this, [this] {
        const auto *removed = chosen();
        if (!removed)
            return;
        const auto name = QString::fromStdString(removed->name);
        write(
            [path = m_study->path, removed = removed->name,
             known = m_known](const std::stop_token &) {
                removeResponse(path, removed);
                return known;
            },
            {}, QString("The study has forgotten %1 (%2)").arg(name, definitionText(*removed)));
    });
    connect(m_form, &ResponseForm::closed, m_form, &QWidget::hide);
    connect(m_form, &ResponseForm::wanted, this,
            [this](const data::ResponseDefinition &definition, const std::string &replaced) {
                if (!m_study)
                    return;
                write(
                    [path = m_study->path, definition, replaced, context = m_context,
                     known = m_known](const std::stop_token &stop) {
                        return putResponse(path, definition, replaced, context, known, stop);
                    },
                    definition.name, {});
            });
}

void AnswersPanel::makePages()
{
    m_pages->setObjectName("answerPages");
    m_pages->setDocumentMode(true);
    m_pages->tabBar()->hide();
    auto *group = new QButtonGroup(this);
    const auto add = [this, group](AnswerPage *page, const QString &name, const QString &tip) {
        constexpr int besideEachOther = 3;
        const int number = m_pages->addTab(page, name);
        auto *button = new QToolButton(this);
        button->setText(name);
        button->setToolTip(tip);
        button->setCheckable(true);
        button->setChecked(number == 0);
        button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        group->addButton(button, number);
        m_tabs->addWidget(button, number / besideEachOther, number % besideEachOther);
        connect(page, &AnswerPage::news, this, &AnswersPanel::news);
        connect(page, &AnswerPage::failed, this, &AnswersPanel::failed);
    };
    add(m_influence, "Influence", "Which parameters the response depends on");
    add(m_uncertainty, "Uncertainty", "What the parameters' uncertainty makes of it");
    add(m_goal, "Optimization", "Where it is best, while others stay within bounds");
    add(m_match, "Calibration", "Which parameters explain what was measured");
    add(m_states, "Designs", "All runs and what was found, in parallel coordinates");
    connect(group, &QButtonGroup::idClicked, m_pages, &QTabWidget::setCurrentIndex);
    connect(m_pages, &QTabWidget::currentChanged, group,
            [group](int number) { group->button(number)->setChecked(true); });
    connect(m_goal, &GoalPage::placeFound, this, [this](const auto &place) {
        m_states->setNamed("optimum", place);
        moveTo("optimum", place);
    });
    connect(m_goal, &GoalPage::runWanted, this, &AnswersPanel::runWanted);
    connect(m_match, &MatchPage::posteriorFound, m_uncertainty->inputs(), &InputRows::setPosterior);
    connect(m_match, &MatchPage::placeFound, this, [this](const auto &place) {
        m_states->setNamed("best fit", place);
        moveTo("calibration", place);
    });
    connect(m_match, &MatchPage::posteriorFound, this, [this](const auto &known) {
        m_states->setNamed("posterior mean", known ? meanPlace(*known) : std::nullopt);
    });
    connect(m_states, &StatesPage::placeFound, this,
            [this](const auto &place) { moveTo("design", place); });
}

void AnswersPanel::setActive(bool isActive)
{
    m_isActive = isActive;
    if (!m_isActive || !m_study)
        return;
    if (m_isStale)
        openLater();
    ask();
}

void AnswersPanel::clearStudy()
{
    m_study.reset();
    cancelReading();
    m_problem.clear();
    m_form->hide();
    m_goal->forget();
    m_match->forget();
    showSet(nullptr);
    setEnabled(false);
}

void AnswersPanel::studyChanged()
{
    const auto before = std::exchange(m_study, m_model.study());
    setEnabled(true);
    const bool isSameFile = before && before->path == m_study->path;
    // Another study may have come to the same name.
    if (!isSameFile || !haveSameAxes(before->parameters, m_study->parameters)) {
        cancelReading();
        m_form->hide();
        m_goal->forget();  // also out of sight: reports ask what was found
        m_match->forget(); // whatever parameters it has
        m_states->forget();
        if (!isSameFile)
            m_selected.clear();
        m_problem.clear();
        m_moved = 0;
        showSet(nullptr);
    }
    setPlace();
    setPinned();
    openLater();
}

void AnswersPanel::setPlace()
{
    for (auto *page : std::initializer_list<AnswerPage *>{m_goal, m_match, m_states})
        page->setPlace(m_model.now().parameters);
}

void AnswersPanel::setPinned()
{
    if (!m_model.isMoving()) // what moves with the sliders is listed where it stops
        m_states->setNamed("A (pinned)", m_model.now().pinned);
}

/// Of a study that grows all the time each state is not read: what is being read is shown first,
/// and the next one is read after a rest that is as long as reading took.
void AnswersPanel::openLater()
{
    m_isStale = true;
    if (m_isActive && !m_reading.isRunning() && !m_rest.isActive())
        open();
}

void AnswersPanel::rest()
{
    m_rest.start(m_isAwaited ? 0
                             : static_cast<int>(std::min(m_sinceOpening.elapsed(), longestRest)));
}

void AnswersPanel::cancelReading()
{
    m_known.reset();
    m_reading.cancel();
    m_rest.stop();
    m_isAwaited = false;
}

/// At once, or as soon as what is being read has been: two at a time would only take longer.
void AnswersPanel::open()
{
    m_isStale = m_isAwaited = m_reading.isRunning();
    if (m_isStale)
        return;
    m_rest.stop();
    m_sinceOpening.start();
    m_reading.start([this, path = m_study->path, context = m_context,
                     known = m_known](const std::stop_token &stop) {
        auto set = openAnswerSet(path, context, known, stop);
        return [this, set = std::move(set)] {
            m_problem.clear();
            m_known = set;
            showSet(set);
        };
    });
    showNotice();
}

void AnswersPanel::showSet(const std::shared_ptr<const AnswerSet> &set)
{
    m_live.forget();
    const auto selected = m_selected; // which forgetting the rows changes
    m_isShowing = true; // questions go on, of which the rows know nothing for a moment
    m_responses->setSet(set);
    const auto count = m_responses->rowCount();
    if (set)
        m_uncertainty->inputs()->setSpace(set->space);
    int row = 0;
    for (int k = 0; k < count; ++k)
        if (set->responses[static_cast<std::size_t>(k)].definition.name == selected)
            row = k;
    m_list->setVisible(count > 0);
    m_pages->setVisible(count > 0);
    if (count > 0) {
        m_list->setFixedHeight(std::min(count, mostRowsSeen) * m_list->sizeHintForRow(0)
                               + 2 * m_list->frameWidth());
        m_list->setCurrentIndex(m_responses->index(row));
    }
    m_isShowing = false;
    choose();
    showNotice();
    ask();
}

void AnswersPanel::showNotice()
{
    const bool hasRows = m_responses->rowCount() > 0;
    QString text;
    if (!m_study)
        text = "Open a study to ask about it";
    else if (!m_problem.isEmpty())
        text = cleanLine(m_problem);
    else if (!m_responses->set())
        text = "Reading the responses…";
    else if (!hasRows)
        text = "No responses yet: a response is one number of a state, as the maximum of a field, "
               "or its mean in a box. Press Add to say which you are after";
    m_notice->setText(text);
    m_notice->setVisible(!text.isEmpty());
    const bool mayWrite = !m_writing.isRunning(); // a study has one writer at a time
    m_add->setEnabled(mayWrite && m_study && m_responses->set());
    m_edit->setEnabled(mayWrite && hasRows);
    m_remove->setEnabled(mayWrite && hasRows);
}

const data::ResponseDefinition *AnswersPanel::chosen() const
{
    const auto index = m_list->currentIndex();
    if (!index.isValid() || !m_responses->set())
        return nullptr;
    return &m_responses->set()->responses[static_cast<std::size_t>(index.row())].definition;
}

void AnswersPanel::choose()
{
    if (m_isShowing)
        return;
    const auto *definition = chosen();
    if (definition)
        m_selected = definition->name;
    const auto set = definition ? m_responses->set() : nullptr;
    const auto row = definition ? static_cast<std::size_t>(m_list->currentIndex().row()) : 0;
    for (auto *page : std::initializer_list<AnswerPage *>{m_influence, m_uncertainty, m_goal})
        page->setResponse(set, row);
    for (auto *page : std::initializer_list<AnswerPage *>{m_match, m_states})
        page->setResponse(set, 0); // they are of all of them
    if (m_responses->live())
        m_influence->showLive(*m_responses->live());
}

void AnswersPanel::ask()
{
    const auto &set = m_responses->set();
    const auto &now = m_model.now().parameters;
    if (!m_isActive || !set || set->responses.empty()
        || now.size() != set->space.parameters().size() || m_moved >= now.size())
        return;
    m_live.ask({set, now, m_moved});
}

void AnswersPanel::showLive(const std::shared_ptr<const LiveAnswer> &live)
{
    if (live->question.set != m_responses->set())
        return;
    m_responses->setLive(live);
    m_influence->showLive(*live);
    m_states->showLive(live);
}

void AnswersPanel::moveTo(const QString &what, const std::vector<double> &parameters)
{
    auto there = m_model.now();
    if (!m_study || there.parameters.size() != parameters.size())
        return;
    emit moved();
    there.parameters = parameters;
    for (std::size_t t = 0; t < parameters.size(); ++t) // round-off must not leave the ranges
        there.parameters[t] =
            std::clamp(parameters[t], m_study->parameters[t].low, m_study->parameters[t].high);
    m_model.change(what, there);
}

void AnswersPanel::openForm(const data::ResponseDefinition *edited)
{
    if (!m_study || m_writing.isRunning())
        return;
    m_form->show();
    m_form->begin(m_study->fields, edited);
}

bool AnswersPanel::takePoint(const std::array<double, 3> &place)
{
    const bool isWanted = m_isActive && m_form->isVisible();
    if (isWanted)
        m_form->setPoint(place);
    return isWanted;
}

bool AnswersPanel::takeLine(const std::array<double, 3> &from, const std::array<double, 3> &to)
{
    const bool isWanted = m_isActive && m_form->isVisible();
    if (isWanted)
        m_form->setLine(from, to);
    return isWanted;
}

void AnswersPanel::write(const Writing &work, const std::string &selected, const QString &sentence)
{
    m_writing.start(
        [this, work, selected, sentence, path = m_study->path](const std::stop_token &stop) {
            auto known = work(stop);
            return [this, selected, sentence, path, known = std::move(known)] {
                m_form->hide();
                if (!selected.empty())
                    m_selected = selected;
                if (!sentence.isEmpty())
                    emit news(sentence);
                if (m_study && m_study->path == path) {
                    if (known)
                        m_known = known;
                    open();
                }
            };
        });
}

void AnswersPanel::complain(const QString &sentence)
{
    if (m_form->isVisible())
        m_form->showProblem(sentence);
    else
        emit failed(sentence);
}

bool AnswersPanel::isSettled() const
{
    const auto &set = m_responses->set();
    if (m_reading.isRunning() || m_writing.isRunning() || !set || (m_isActive && m_isStale))
        return false;
    const auto &live = m_responses->live();
    return set->responses.empty()
           || (live && live->isWhole && live->question.parameters == m_model.now().parameters);
}

} // namespace gridhelm::ui
