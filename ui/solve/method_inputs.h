// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/setup/method_setup.h"

#include <QString>

#include <vector>

class QComboBox;
class QLabel;
class QWidget;

namespace gridhelm::ui {

class OptionRows;

/// The methods of a family, and the options that they have: a row for each, as its type wants it.
class MethodInputs
{
public:
    MethodInputs(OptionRows &rows, const solvers::PoissonFamily &family);

    solvers::MethodSetup setup() const;
    QString method() const;

private:
    struct Row
    {
        const Option *option;
        QWidget *control;
    };

    void add(OptionRows &rows, const Option &option);
    void showWhatMatters(OptionRows &rows);
    const solvers::PoissonMethod &chosenMethod() const;

    std::vector<const solvers::PoissonMethod *> m_methods;
    QComboBox *m_method;
    QLabel *m_purpose; ///< of the chosen one
    std::vector<Row> m_rows;
};

} // namespace gridhelm::ui
