// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/answers/trade_off_box.h"

#include "ui/answers/answer_text.h"
#include "ui/controls/plain_text.h"
#include "ui/plot/scatter_plot.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QStandardItemModel>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace gridhelm::ui {
namespace {

constexpr int responseRole = Qt::UserRole, isLargestRole = Qt::UserRole + 1;

QString axisOf(const AnswerSet &set, std::size_t response)
{
    const auto &definition = set.responses[response].definition;
    return axisText(definition.name, definition.unit);
}

} // namespace

TradeOffBox::TradeOffBox(QWidget *parent)
    : QWidget(parent)
    , m_other(new QComboBox(this))
    , m_find(new QPushButton("Trade-off", this))
    , m_plot(new ScatterPlot("trade-off", this))
{
    m_other->setObjectName("against");
    m_other->setAccessibleName("The other response");
    m_other->setToolTip("What else is to be small or large");
    m_find->setObjectName("tradeOff");
    m_find->setToolTip("Looks for the Pareto front: parameters where neither response gets better "
                       "without the other getting worse");
    m_plot->setObjectName("front");
    m_plot->setAccessibleName("Trade-off of two responses");
    m_plot->setToolTip("The Pareto front. A click on a dot, or the arrow keys, moves the sliders "
                       "there, as a step that Undo takes back");
    m_plot->hide();
    auto *row = new QHBoxLayout;
    row->addWidget(m_other, 1);
    row->addWidget(m_find);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addLayout(row);
    layout->addWidget(m_plot);
    connect(m_find, &QPushButton::clicked, this, &TradeOffBox::wanted);
    connect(m_plot, &ScatterPlot::picked, this,
            [this](std::size_t dot) { emit placeFound(m_places.at(dot)); });
}

void TradeOffBox::setResponses(const AnswerSet *set, std::size_t chosen)
{
    const auto before = m_other->currentText();
    m_other->clear();
    auto *items = qobject_cast<QStandardItemModel *>(m_other->model());
    int first = -1; // that can be asked for
    for (std::size_t k = 0; set && k < set->responses.size(); ++k) {
        if (k == chosen)
            continue;
        const auto name = cleanLine(QString::fromStdString(set->responses[k].definition.name));
        for (const bool isLargest : {false, true}) {
            m_other->addItem((isLargest ? "against a large " : "against a small ") + name);
            const int row = m_other->count() - 1;
            m_other->setItemData(row, static_cast<qulonglong>(k), responseRole);
            m_other->setItemData(row, isLargest, isLargestRole);
            const auto problem = problemText(set->responses[k]);
            m_other->setItemData(row, plainTip(problem), Qt::ToolTipRole);
            items->item(row)->setEnabled(problem.isEmpty());
            if (problem.isEmpty() && first < 0)
                first = row;
        }
    }
    const int same = m_other->findText(before);
    m_other->setCurrentIndex(same >= 0 && items->item(same)->isEnabled() ? same : first);
    m_find->setEnabled(first >= 0 && set->responses[chosen].problem.empty());
    setVisible(m_other->count() > 0);
}

std::optional<answers::Goal> TradeOffBox::other() const
{
    if (m_other->currentIndex() < 0)
        return std::nullopt;
    answers::Goal goal;
    goal.aim = m_other->currentData(isLargestRole).toBool() ? answers::Aim::maximum
                                                            : answers::Aim::minimum;
    goal.response = m_other->currentData(responseRole).toULongLong();
    return goal;
}

void TradeOffBox::show(const AnswerSet &set, const answers::Goal &first,
                       const answers::Goal &second, const std::vector<answers::TradeOff> &front,
                       std::vector<std::vector<double>> places)
{
    m_places = std::move(places);
    std::vector<ScatterPlot::Dot> dots;
    for (const auto &place : front)
        dots.push_back({place.first, place.second});
    m_plot->show(std::move(dots), axisOf(set, first.response), axisOf(set, second.response),
                 ScatterPlot::Line::through);
    m_plot->setVisible(!front.empty());
}

void TradeOffBox::clear()
{
    m_places.clear();
    m_plot->clear();
    m_plot->hide();
}

} // namespace gridhelm::ui
