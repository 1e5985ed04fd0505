// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/stepper.h"

#include <QWidget>

#include <optional>
#include <vector>

class QLabel;
class QVBoxLayout;

namespace gridhelm::ui {

class ValueSlider;

/// A slider for each parameter that may be changed while a solver runs.
class LiveControls : public QWidget
{
    Q_OBJECT

public:
    explicit LiveControls(QWidget *parent = nullptr);

    /// Makes the sliders; those that are there already get other ranges only, and keep what the
    /// user has set: the solver may be behind.
    void setParameters(const std::vector<solvers::LiveParameter> &parameters);
    /// As the solver has them: after it has refused one.
    void showValues(const std::vector<solvers::LiveParameter> &parameters);
    void clear();

    bool isEmpty() const { return m_sliders.empty(); }
    ValueSlider *slider(const QString &name) const; ///< or null
    std::optional<double> value(const QString &name) const;
    void setValue(const QString &name, double value);

signals:
    void valueEdited(const QString &name, double value);
    void refused(const QString &sentence);

private:
    QVBoxLayout *m_layout;
    QLabel *m_hint;
    std::vector<ValueSlider *> m_sliders;
};

} // namespace gridhelm::ui
