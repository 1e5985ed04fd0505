// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/answers/answer_page.h"
#include "ui/answers/answer_questions.h"
#include "ui/answers/input_rows.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QVBoxLayout;

namespace gridhelm::ui {

class HeldParameters;
class HistogramPlot;

/// Which parameters explain what was measured: the best fit at once, then all that are likely.
class MatchPage : public AnswerPage
{
    Q_OBJECT

public:
    /// `inputs`: what is known of the parameters before; must outlive it.
    explicit MatchPage(const InputRows &inputs, QWidget *parent = nullptr);

    /// Reads a table into the editor.
    void open(const QString &path);
    /// What was matched, and is likely after it, is of another study.
    void forget();
    QPlainTextEdit *table() const { return m_table; }
    const std::shared_ptr<const FittedMatch> &fitted() const { return m_fitted; }
    /// The fit, and what is likely, in words, also that the study has grown since; empty: none yet.
    QString found() const;
    const std::optional<MatchPosterior> &posterior() const { return m_posterior; }

signals:
    void placeFound(const std::vector<double> &parameters);
    /// What is known of the parameters now; nothing: what was known is of the past.
    void posteriorFound(const std::optional<gridhelm::ui::KnownAfter> &posterior);

protected:
    void refresh() override;
    bool isSameQuestion(const AnswerSet &other, std::size_t index) const override;

private:
    bool isOld() const;
    void choose();
    void fit();
    void showFit(const MatchQuestion &question, std::shared_ptr<const FittedMatch> fitted);
    void showPosterior(const MatchQuestion &question, MatchPosterior posterior);
    void showText();
    QString fitText() const;

    const InputRows &m_inputs;
    QPlainTextEdit *m_table;
    HeldParameters *m_held;
    QPushButton *m_open, *m_fit;
    QLabel *m_text;
    QVBoxLayout *m_plots;
    std::vector<HistogramPlot *> m_marginals;
    QString m_name{"the table"};           ///< of what is in the editor, for sentences
    QString m_found;                       ///< the fit, and what is likely, in words
    std::filesystem::path m_path;          ///< of the study that it is of
    std::optional<ParameterSpace> m_space; ///< the same
    std::shared_ptr<const FittedMatch> m_fitted;
    std::optional<MatchPosterior> m_posterior;
};

} // namespace gridhelm::ui
