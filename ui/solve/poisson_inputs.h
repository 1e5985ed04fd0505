// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/setup/poisson_setup.h"
#include "ui/solve/start_inputs.h"

#include <QString>

#include <array>

class QComboBox;
class QLineEdit;
class QWidget;

namespace gridhelm::ui {

class OptionRows;

/// The options of a Poisson problem, which Jacobi and SOR share.
class PoissonInputs
{
public:
    explicit PoissonInputs(OptionRows &rows);

    /// But for the start.
    solvers::PoissonSetup setup() const;
    bool knownIsChosen() const;
    /// "256 x 256", or what was typed if it is no size.
    QString size() const;
    StartInputs &start() { return m_start; }
    const StartInputs &start() const { return m_start; }

private:
    struct SideInputs
    {
        QWidget *row;
        QComboBox *kind;
        QLineEdit *value;
    };

    void addSides();
    void showWhatMatters();
    std::size_t dimension() const;

    OptionRows &m_rows;
    QComboBox *m_size;
    QComboBox *m_source;
    QLineEdit *m_sourceFile;
    QLineEdit *m_strength;
    QLineEdit *m_position;
    QLineEdit *m_waves;
    std::array<SideInputs, 6> m_sides;
    QLineEdit *m_spacing;
    QComboBox *m_known;
    QLineEdit *m_knownFile;
    StartInputs m_start;
};

/// "256 x 256", or what was typed if it is no size; `directions` if only one number was typed.
QString sizeText(const std::string &typed, std::size_t directions);

} // namespace gridhelm::ui
