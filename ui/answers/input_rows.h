// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/answers/input_distribution.h"

#include <QWidget>

#include <optional>
#include <vector>

class QFormLayout;
class QLabel;
class QLineEdit;

namespace gridhelm::ui {

/// How each parameter's values are distributed: a field each, in the words of the command
/// "uncertainty"; a number alone holds the parameter there.
class InputRows : public QWidget
{
    Q_OBJECT

public:
    explicit InputRows(QWidget *parent = nullptr);

    /// Fields stay as they are where the parameters are the same.
    void setSpace(const ParameterSpace &space);
    /// Nothing while a field has a mistake, which is said there.
    const std::optional<answers::Inputs> &inputs() const { return m_inputs; }
    QLineEdit *field(std::size_t parameter) const { return m_rows.at(parameter).field; }

signals:
    void changed(); ///< inputs() are others than before

private:
    struct Row
    {
        QLineEdit *field;
        QLabel *problem;
    };
    void read();

    QFormLayout *m_layout;
    std::optional<ParameterSpace> m_space;
    std::vector<Row> m_rows;
    std::optional<answers::Inputs> m_inputs;
    QStringList m_texts; ///< of m_inputs
};

} // namespace gridhelm::ui
