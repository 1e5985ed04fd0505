// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/study/response_definition.h"
#include "data/study/study_types.h"

#include <QWidget>

#include <array>
#include <string>
#include <vector>

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace gridhelm::ui {

/// What a response is, in the words of the command "responses". Mistakes are said beside the field
/// that has them, while it is typed.
class ResponseForm : public QWidget
{
    Q_OBJECT

public:
    explicit ResponseForm(QWidget *parent = nullptr);

    /// Of a study with these fields; beginning with a response that there is, or a proposal.
    void begin(const std::vector<data::Field> &fields, const data::ResponseDefinition *edited);
    /// What the study said of it.
    void showProblem(const QString &sentence);
    void setBusy(bool isBusy);
    data::ResponseDefinition definition() const;
    /// What was pointed at in the view, in the mesh's unit, as where the response is.
    void setPoint(const std::array<double, 3> &place);
    void setLine(const std::array<double, 3> &from, const std::array<double, 3> &to);

signals:
    /// `replaced`: the response that was edited; empty for a new one.
    void wanted(const gridhelm::data::ResponseDefinition &definition, const std::string &replaced);
    void closed();

protected:
    void keyPressEvent(QKeyEvent *event) override; ///< Escape closes it

private:
    /// Returns where its mistake is said.
    QLabel *addRow(QFormLayout &layout, const QString &name, QWidget *widget);
    void check();
    void setPlace(const QString &place, const QString &reduction);

    std::vector<data::Field> m_fields;
    std::string m_replaced;
    QLineEdit *m_name, *m_formula, *m_place, *m_unit;
    QComboBox *m_reduction;
    QLabel *m_formulaProblem, *m_reductionProblem, *m_placeProblem;
    QLabel *m_problem; ///< what the study said
    QPushButton *m_keep, *m_cancel;
    bool m_isBusy = false;
};

} // namespace gridhelm::ui
