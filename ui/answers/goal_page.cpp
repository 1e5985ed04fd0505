// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/answers/goal_page.h"

#include "core/support/error.h"
#include "ui/answers/answer_questions.h"
#include "ui/answers/answer_text.h"
#include "ui/answers/held_parameters.h"
#include "ui/answers/trade_off_box.h"
#include "ui/controls/plain_text.h"
#include "ui/plot/scatter_plot.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QTableWidget>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

namespace gridhelm::ui {
namespace {

enum Column { nameColumn, lowColumn, highColumn };

/// Nothing typed is nothing. Throws gridhelm::Error for what is no number.
std::optional<double> numberIn(const QString &typed, const QString &what)
{
    const auto text = typed.trimmed();
    if (text.isEmpty())
        return std::nullopt;
    bool isNumber = false;
    const double value = text.toDouble(&isNumber);
    if (!isNumber || !std::isfinite(value))
        throw Error(fmt::format("{} is {}, which is no number: write one as 2.5, or nothing",
                                what.toStdString(), text.toStdString()));
    return value;
}

} // namespace

GoalPage::GoalPage(QWidget *parent)
    : AnswerPage(parent)
    , m_aim(new QComboBox(this))
    , m_target(new QLineEdit(this))
    , m_constraints(new QTableWidget(0, 3, this))
    , m_held(new HeldParameters(this))
    , m_find(new QPushButton("Find", this))
    , m_run(new QPushButton("Validate with a simulation", this))
    , m_text(new PlainLabel(this))
    , m_tradeOff(new TradeOffBox(this))
{
    m_aim->setObjectName("aim");
    m_aim->addItems({"as small as possible", "as large as possible", "near the value"});
    m_aim->setToolTip("What the chosen response is to be");
    m_target->setObjectName("target");
    m_target->setToolTip("The value that it is to be near");
    m_target->setEnabled(false);
    m_find->setObjectName("find");
    m_find->setToolTip("Looks for the best parameters from many starts; the sliders go there, as "
                       "one step that Undo takes back");
    m_run->setObjectName("runForReal");
    m_run->setEnabled(false);
    m_text->setObjectName("goalText");
    m_text->setWordWrap(true);
    makeConstraints();
    auto *row = new QHBoxLayout;
    row->addWidget(m_aim, 1);
    row->addWidget(m_target, 1);
    auto *buttons = new QHBoxLayout;
    buttons->addWidget(m_held, 1);
    buttons->addWidget(m_find);
    body().addLayout(row);
    body().addWidget(new PlainLabel("While these stay between:", this));
    body().addWidget(m_constraints);
    body().addLayout(buttons);
    body().addWidget(m_text);
    body().addWidget(m_run);
    body().addWidget(m_tradeOff);
    connect(m_aim, &QComboBox::currentIndexChanged, this,
            [this](int aim) { m_target->setEnabled(aim == 2); });
    connect(m_find, &QPushButton::clicked, this, &GoalPage::find);
    connect(m_target, &QLineEdit::returnPressed, this, &GoalPage::find);
    connect(m_run, &QPushButton::clicked, this, [this] { emit runWanted(m_place); });
    connect(m_tradeOff, &TradeOffBox::wanted, this, &GoalPage::findFront);
    connect(m_tradeOff, &TradeOffBox::placeFound, this, &GoalPage::placeFound);
    connect(m_tradeOff->plot(), &ScatterPlot::news, this, &AnswerPage::news);
    connect(m_tradeOff->plot(), &ScatterPlot::failed, this, &AnswerPage::failed);
}

void GoalPage::makeConstraints()
{
    m_constraints->setObjectName("constraints");
    m_constraints->setAccessibleName("Constraints");
    m_constraints->setToolTip("Ends that responses have to stay between; empty: none");
    m_constraints->setHorizontalHeaderLabels({"Response", "At least", "At most"});
    m_constraints->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_constraints->verticalHeader()->hide();
    m_constraints->setTabKeyNavigation(false); // Tab leaves it
    m_constraints->setMaximumHeight(6 * m_constraints->fontMetrics().height() * 3 / 2);
}

/// What was typed for a response stays.
void GoalPage::showConstraints()
{
    const auto rows = set() ? set()->responses.size() : 0;
    std::vector<std::pair<QString, std::pair<QString, QString>>> kept;
    for (int row = 0; row < m_constraints->rowCount(); ++row)
        kept.push_back({m_constraints->item(row, nameColumn)->text(),
                        {m_constraints->item(row, lowColumn)->text(),
                         m_constraints->item(row, highColumn)->text()}});
    m_constraints->setRowCount(static_cast<int>(rows));
    for (std::size_t k = 0; k < rows; ++k) {
        const auto name = cleanLine(QString::fromStdString(set()->responses[k].definition.name));
        const auto was = std::ranges::find(kept, name, &decltype(kept)::value_type::first);
        const auto row = static_cast<int>(k);
        auto *item = new QTableWidgetItem(name);
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
        m_constraints->setItem(row, nameColumn, item);
        const auto ends = was == kept.end() ? decltype(was->second)() : was->second;
        m_constraints->setItem(row, lowColumn, new QTableWidgetItem(ends.first));
        m_constraints->setItem(row, highColumn, new QTableWidgetItem(ends.second));
        showProblem(row, problemText(set()->responses[k]));
    }
}

/// Of a response that cannot be had no ends can be typed; those that were can be cleared.
void GoalPage::showProblem(int row, const QString &problem)
{
    for (const auto column : {nameColumn, lowColumn, highColumn}) {
        auto *item = m_constraints->item(row, column);
        item->setToolTip(plainTip(problem));
        if (!problem.isEmpty() && (column == nameColumn || item->text().isEmpty()))
            item->setFlags(item->flags() & ~(Qt::ItemIsEnabled | Qt::ItemIsEditable));
    }
}

void GoalPage::forget()
{
    m_optimum.reset();
    m_found.clear();
    m_text->clear();
    m_run->setEnabled(false);
    m_front.reset();
    m_tradeOff->clear();
}

void GoalPage::refresh()
{
    forget();
    const auto obstacle = set() ? set()->outlook.refineObstacle : std::string();
    m_run->setToolTip(obstacle.empty()
                          ? QString("Up to 16 runs where the error at these parameters comes from "
                                    "(Refine at the sliders, in the panel Runs); the surrogate "
                                    "learns them")
                          : plainTip(QString::fromStdString(obstacle)));
    m_find->setEnabled(set() && !saysProblem());
    grow();
}

bool GoalPage::isOld() const
{
    return m_optimum && set() && set()->runs > m_runs;
}

QString GoalPage::found() const
{
    return m_found + (isOld() ? QString(hasGrownText) + "." : QString());
}

/// What was found is what somebody has asked for: it stays until the next one.
void GoalPage::grow()
{
    if (isOld())
        m_text->setText(m_found + hasGrownText + ": press Find again.");
    m_tradeOff->setResponses(set().get(), index());
    showConstraints();
    if (set())
        m_held->setSpace(set()->space);
}

answers::Goal GoalPage::goal(const Held &held) const
{
    answers::Goal goal;
    goal.response = index();
    goal.aim = m_aim->currentIndex() == 0   ? answers::Aim::minimum
               : m_aim->currentIndex() == 1 ? answers::Aim::maximum
                                            : answers::Aim::target;
    if (goal.aim == answers::Aim::target) {
        const auto target = numberIn(m_target->text(), "The value");
        if (!target)
            throw Error("the value that the response is to be near is missing: type it");
        goal.target = *target;
    }
    for (int row = 0; row < m_constraints->rowCount(); ++row) {
        const auto name = m_constraints->item(row, nameColumn)->text();
        const auto low = numberIn(m_constraints->item(row, lowColumn)->text(), name + " at least");
        const auto high = numberIn(m_constraints->item(row, highColumn)->text(), name + " at most");
        if (low && high && *low > *high)
            throw Error(fmt::format("{} is to be at least {} and at most {}: the lower end has to "
                                    "be below the upper one",
                                    name.toStdString(), *low, *high));
        if ((low || high) && !set()->responses[static_cast<std::size_t>(row)].model)
            throw Error(fmt::format("{} has ends here, and cannot be had: {}; clear its ends",
                                    name.toStdString(),
                                    set()->responses[static_cast<std::size_t>(row)].problem));
        if (low || high)
            goal.constraints.push_back({static_cast<std::size_t>(row), low, high});
    }
    goal.low.assign(set()->space.parameters().size(), 0.0);
    goal.high.assign(goal.low.size(), 1.0);
    if (held.size() != goal.low.size())
        return goal;
    const auto x = set()->space.toUnit(sliders());
    for (std::size_t t = 0; t < held.size(); ++t)
        if (held[t])
            goal.low[t] = goal.high[t] = std::clamp(x[t], 0.0, 1.0);
    return goal;
}

void GoalPage::find()
{
    if (!set() || saysProblem())
        return;
    try {
        const auto held = m_held->heldAt(sliders());
        const auto wanted = goal(held);
        m_run->setEnabled(false);
        compute([this, set = set(), wanted, held](const std::stop_token &stop) {
            auto optimum = optimumOf(*set, wanted, stop);
            return [this, wanted, held, optimum = std::move(optimum)] {
                showOptimum(wanted, held, optimum);
            };
        });
    } catch (const std::exception &problem) {
        say(QString::fromUtf8(problem.what()), true);
    }
}

void GoalPage::findFront()
{
    const auto other = m_tradeOff->other();
    if (!set() || !other || saysProblem())
        return;
    try {
        const auto held = m_held->heldAt(sliders());
        const auto wanted = goal(held);
        compute([this, set = set(), wanted, held, other = *other](const std::stop_token &stop) {
            auto front = frontOf(*set, wanted, other, stop);
            return [this, wanted, other, held, front = std::move(front)] {
                showFront(wanted, other, held, front);
            };
        });
    } catch (const std::exception &problem) {
        say(QString::fromUtf8(problem.what()), true);
    }
}

void GoalPage::showFront(const answers::Goal &first, const answers::Goal &second, const Held &held,
                         std::vector<answers::TradeOff> front)
{
    m_front = std::move(front);
    std::vector<std::vector<double>> places;
    for (const auto &place : *m_front)
        places.push_back(placeOf(place.x, held));
    m_tradeOff->show(*set(), first, second, *m_front, std::move(places));
    if (m_front->empty())
        say("Nothing fulfils all constraints, so that there is nothing to trade: loosen one", true);
    else if (m_front->size() == 1)
        say("Both are best at the same point: click on it to go there");
}

std::vector<double> GoalPage::placeOf(const std::vector<double> &x, const Held &held) const
{
    auto place = set()->space.fromUnit(x);
    for (std::size_t t = 0; t < std::min(held.size(), place.size()); ++t)
        place[t] = held[t].value_or(place[t]);
    return place;
}

void GoalPage::showOptimum(const answers::Goal &goal, const Held &held,
                           const answers::Optimum &optimum)
{
    m_optimum = optimum;
    m_place = placeOf(optimum.x, held);
    QString text;
    if (!optimum.isFeasible)
        text = QString("Nothing fulfils all constraints: the nearest point misses one by %1 % of "
                       "its response's range. Loosen a constraint. ")
                   .arg(100 * optimum.violation, 0, 'g', 3);
    text += "At " + cleanLine(QString::fromStdString(set()->space.toText(m_place)));
    for (std::size_t k = 0; k < optimum.values.size(); ++k) {
        if (std::isnan(optimum.values[k]))
            continue;
        const auto &response = set()->responses[k];
        text += QString("\n%1%2: %3, %4")
                    .arg(k == goal.response ? "" : "  ",
                         cleanLine(QString::fromStdString(response.definition.name)),
                         valueText(optimum.values[k], response.definition.unit, response.digits),
                         shortErrorText(response));
    }
    text +=
        QString("\n%1 of %2 starts ended there.").arg(optimum.startsThatAgree).arg(optimum.starts);
    m_found = text;
    m_runs = set()->runs;
    m_text->setText(m_found);
    m_run->setEnabled(set()->outlook.refineObstacle.empty());
    emit placeFound(m_place);
}

} // namespace gridhelm::ui
