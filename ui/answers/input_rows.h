// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/answers/input_distribution.h"

#include <QString>
#include <QWidget>

#include <optional>
#include <vector>

class QCheckBox;
class QFormLayout;
class QLabel;
class QLineEdit;

namespace gridhelm::ui {

/// What is known of parameters after a matching.
struct KnownAfter
{
    answers::JointSamples samples;           ///< of the posterior
    std::vector<std::optional<double>> held; ///< of all parameters: where they were held for it
    QString name;                            ///< of what was measured
};

/// How each parameter's values are distributed: a field each, in the words of the command
/// "uncertainty"; a number alone holds the parameter there. Then which go together, and after a
/// matching, whether its posterior takes the place of what was typed.
class InputRows : public QWidget
{
    Q_OBJECT

public:
    explicit InputRows(QWidget *parent = nullptr);

    /// Fields stay as they are where the parameters are the same.
    void setSpace(const ParameterSpace &space);
    /// Nothing while a field has a mistake, which is said there.
    const std::optional<answers::Inputs> &inputs() const { return m_inputs; }
    /// As they were typed: what was known before anything was measured.
    const std::optional<answers::Inputs> &prior() const { return m_prior; }
    QLineEdit *field(std::size_t parameter) const { return m_rows.at(parameter).field; }
    QLineEdit *correlations() const { return m_correlations; }

    /// It is used from now on, until its mark is taken away. Nothing: there is none any more.
    void setPosterior(std::optional<KnownAfter> posterior);
    bool usesPosterior() const;
    QCheckBox *posteriorMark() const { return m_usePosterior; }

signals:
    void changed(); ///< inputs() are others than before

private:
    struct Row
    {
        QLineEdit *field;
        QLabel *problem;
    };
    void read();
    /// The problem of the correlations, if they have one.
    QString addCorrelations(answers::Inputs &inputs) const;
    void compose(); ///< m_inputs, and what may be typed

    QFormLayout *m_layout;
    QLineEdit *m_correlations;
    QLabel *m_correlationProblem;
    QCheckBox *m_usePosterior;
    std::optional<KnownAfter> m_posterior;
    std::optional<ParameterSpace> m_space;
    std::vector<Row> m_rows;
    std::optional<answers::Inputs> m_prior, m_inputs;
    QStringList m_texts; ///< of m_prior
};

} // namespace gridhelm::ui
