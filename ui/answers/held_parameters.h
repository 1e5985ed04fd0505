// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/parameters/parameter_space.h"

#include <QToolButton>

#include <optional>
#include <vector>

namespace gridhelm::ui {

/// A menu of the parameters, of which some are held where the sliders are.
class HeldParameters : public QToolButton
{
    Q_OBJECT

public:
    explicit HeldParameters(QWidget *parent = nullptr);

    /// Marks stay where the parameters are the same.
    void setSpace(const ParameterSpace &space);
    /// Of each parameter its value at the sliders, `values`, if it is held.
    std::vector<std::optional<double>> heldAt(const std::vector<double> &values) const;

private:
    void follow();

    std::optional<ParameterSpace> m_space;
    std::vector<QAction *> m_marks;
};

} // namespace gridhelm::ui
