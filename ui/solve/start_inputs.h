// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/solve/shown_field.h"

#include <QString>

#include <string>

class QCheckBox;
class QComboBox;
class QLineEdit;

namespace gridhelm::ui {

class OptionRows;

/// What a run begins with: nothing, the field in the view, or a file.
class StartInputs
{
public:
    /// `nothing`: "u = 0", in the tool tip.
    StartInputs(OptionRows &rows, const QString &nothing);

    void setShownField(ShownFieldSource source) { m_shown = std::move(source); }

    struct Start
    {
        std::string file;             ///< or empty
        solvers::FieldAtPlaces field; ///< or empty; throws gridhelm::Error if nothing is shown
        QString inWords;              ///< empty: a cold start
        bool comparesCold = false;
    };
    /// As it is chosen now.
    Start start() const;

private:
    QComboBox *m_from;
    QLineEdit *m_file;
    QCheckBox *m_comparesCold;
    ShownFieldSource m_shown;
};

/// Makes a set-up (PoissonSetup, PmmSetup) begin with it.
template <typename Setup>
void setStart(Setup &setup, const StartInputs::Start &start)
{
    setup.start = start.file;
    setup.startAt = start.field;
}

} // namespace gridhelm::ui
