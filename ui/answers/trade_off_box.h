// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/answers/pareto_front.h"
#include "ui/answers/answer_set.h"

#include <QWidget>

#include <optional>
#include <vector>

class QComboBox;
class QPushButton;

namespace gridhelm::ui {

class ScatterPlot;

/// What the goal costs in another response: asked for by a button, shown as dots that can be taken.
class TradeOffBox : public QWidget
{
    Q_OBJECT

public:
    explicit TradeOffBox(QWidget *parent = nullptr);

    /// Of the set's responses all but the chosen one may be the other one. Null: there is none.
    void setResponses(const AnswerSet *set, std::size_t chosen);
    /// What the other response is to be; nothing while there is no other that can be had.
    std::optional<answers::Goal> other() const;
    /// `places`: of all parameters in their units, as many as the front has.
    void show(const AnswerSet &set, const answers::Goal &first, const answers::Goal &second,
              const std::vector<answers::TradeOff> &front, std::vector<std::vector<double>> places);
    void clear();
    ScatterPlot *plot() const { return m_plot; }

signals:
    void wanted();
    void placeFound(const std::vector<double> &parameters);

private:
    QComboBox *m_other;
    QPushButton *m_find;
    ScatterPlot *m_plot;
    std::vector<std::vector<double>> m_places;
};

} // namespace gridhelm::ui
