// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/answers/optimum.h"
#include "ui/answers/answer_page.h"

#include <optional>
#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableWidget;

namespace gridhelm::ui {

class HeldParameters;

/// Where a response is smallest, largest or at a value, while others stay within ends.
class GoalPage : public AnswerPage
{
    Q_OBJECT

public:
    explicit GoalPage(QWidget *parent = nullptr);

    /// None until it was found.
    const std::optional<answers::Optimum> &optimum() const { return m_optimum; }
    QTableWidget *constraints() const { return m_constraints; }

signals:
    /// The sliders are to go there.
    void placeFound(const std::vector<double> &parameters);
    /// The user wants real runs there.
    void runWanted(const std::vector<double> &parameters);

protected:
    void refresh() override;

private:
    /// Of each parameter, the value that it is held at.
    using Held = std::vector<std::optional<double>>;

    void makeConstraints();
    void showConstraints();
    /// Throws gridhelm::Error for what is no number, and lower ends above upper ones.
    answers::Goal goal(const Held &held) const;
    void find();
    /// `held`: as it was when it was asked for.
    void showOptimum(const answers::Goal &goal, const Held &held, const answers::Optimum &optimum);

    QComboBox *m_aim;
    QLineEdit *m_target;
    QTableWidget *m_constraints;
    HeldParameters *m_held;
    QPushButton *m_find, *m_run;
    QLabel *m_text;
    std::vector<double> m_place; ///< of m_optimum, in units
    std::optional<answers::Optimum> m_optimum;
};

} // namespace gridhelm::ui
