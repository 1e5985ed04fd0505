// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/answers/pareto_front.h"
#include "ui/answers/answer_page.h"

#include <cstdint>
#include <optional>
#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableWidget;

namespace gridhelm::ui {

class HeldParameters;
class TradeOffBox;

/// Where a response is smallest, largest or at a value, while others stay within ends.
class GoalPage : public AnswerPage
{
    Q_OBJECT

public:
    explicit GoalPage(QWidget *parent = nullptr);

    /// None until it was found; numbered as the set is that it was found in.
    const std::optional<answers::Optimum> &optimum() const { return m_optimum; }
    /// What was found is of another study.
    void forget();
    /// The same in words, also that the study has grown since; empty: none.
    QString found() const;
    QTableWidget *constraints() const { return m_constraints; }
    /// None until it was looked for; empty if nothing fulfils the constraints.
    const std::optional<std::vector<answers::TradeOff>> &front() const { return m_front; }
    TradeOffBox *tradeOff() const { return m_tradeOff; }

signals:
    /// The sliders are to go there.
    void placeFound(const std::vector<double> &parameters);
    /// The user wants real runs there.
    void runWanted(const std::vector<double> &parameters);

protected:
    void refresh() override;
    void grow() override;

private:
    /// Of each parameter, the value that it is held at.
    using Held = std::vector<std::optional<double>>;

    bool isOld() const;
    void makeConstraints();
    void showConstraints();
    void showProblem(int row, const QString &problem);
    /// Throws gridhelm::Error for what is no number, and lower ends above upper ones.
    answers::Goal goal(const Held &held) const;
    void find();
    void findFront();
    void showFront(const answers::Goal &first, const answers::Goal &second, const Held &held,
                   std::vector<answers::TradeOff> front);
    /// In units, and held ones to the last digit as they are held.
    std::vector<double> placeOf(const std::vector<double> &x, const Held &held) const;
    /// `held`: as it was when it was asked for.
    void showOptimum(const answers::Goal &goal, const Held &held, const answers::Optimum &optimum);

    QComboBox *m_aim;
    QLineEdit *m_target;
    QTableWidget *m_constraints;
    HeldParameters *m_held;
    QPushButton *m_find, *m_run;
    QLabel *m_text;
    TradeOffBox *m_tradeOff;
    std::optional<std::vector<answers::TradeOff>> m_front;
    std::vector<double> m_place; ///< of m_optimum, in units
    QString m_found;             ///< m_optimum in words
    std::uint64_t m_runs = 0;    ///< of the study that it was found in
    std::optional<answers::Optimum> m_optimum;
};

} // namespace gridhelm::ui
