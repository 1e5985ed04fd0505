// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/answers/shapley_effects.h"
#include "core/answers/sobol_indices.h"
#include "ui/answers/answer_page.h"
#include "ui/answers/input_rows.h"
#include "ui/answers/live_answer.h"

#include <optional>

class QLabel;

namespace gridhelm::ui {

class BarPlot;

/// Which parameters a response depends on: its slopes at the sliders, live, and the shares of its
/// variance: Sobol' indices, or Shapley effects where parameters go together.
class InfluencePage : public AnswerPage
{
    Q_OBJECT

public:
    /// `inputs` must outlive it.
    explicit InfluencePage(const InputRows &inputs, QWidget *parent = nullptr);

    void showLive(const LiveAnswer &live);
    BarPlot *slopes() const { return m_slopes; }
    BarPlot *shares() const { return m_shares; }
    /// Null until they are known.
    const std::optional<answers::SobolIndices> &indices() const { return m_indices; }
    const std::optional<answers::ShapleyEffects> &effects() const { return m_effects; }

protected:
    void refresh() override;
    void grow() override;

private:
    void askForEffects();
    void showIndices(const answers::SobolIndices &indices);
    void showEffects(const answers::ShapleyEffects &effects);
    void showText(double mean, double variance, const QString &shares);

    const InputRows &m_inputs;
    BarPlot *m_slopes, *m_shares;
    QLabel *m_text;
    std::optional<answers::SobolIndices> m_indices;
    std::optional<answers::ShapleyEffects> m_effects;
};

} // namespace gridhelm::ui
