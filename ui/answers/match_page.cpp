// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/answers/match_page.h"

#include "ui/answers/answer_text.h"
#include "ui/answers/held_parameters.h"
#include "ui/answers/histogram_plot.h"
#include "ui/controls/file_device.h"
#include "ui/controls/plain_text.h"

#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace gridhelm::ui {
namespace {

constexpr qint64 longestTable = 8 << 20; ///< bytes that an editor still shows at once

/// The same beliefs, but with what is held.
answers::Inputs priorOf(answers::Inputs inputs, const ParameterSpace &space,
                        const std::vector<std::optional<double>> &held)
{
    for (std::size_t t = 0; t < held.size(); ++t)
        if (held[t])
            inputs.distributions[t] = answers::InputDistribution::ofSamples({*held[t]}, space[t]);
    return inputs;
}

} // namespace

MatchPage::MatchPage(const InputRows &inputs, QWidget *parent)
    : AnswerPage(parent)
    , m_inputs(inputs)
    , m_table(new QPlainTextEdit(this))
    , m_held(new HeldParameters(this))
    , m_open(new QPushButton("Open...", this))
    , m_fit(new QPushButton("Fit", this))
    , m_text(new PlainLabel(this))
    , m_plots(new QVBoxLayout)
{
    m_table->setObjectName("measurements");
    m_table->setAccessibleName("Measurements");
    m_table->setToolTip("What was measured, a line each. The first line names the columns: value, "
                        "sd (its standard deviation), and either response, or quantity with x, y, "
                        "z; parameters that were known have columns of their names");
    m_table->setTabChangesFocus(true);
    m_table->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_table->setMaximumHeight(8 * m_table->fontMetrics().height());
    m_open->setObjectName("openMeasurements");
    m_open->setToolTip("Reads a table (CSV) of measurements");
    m_fit->setObjectName("fit");
    m_fit->setToolTip("Looks for the parameters that explain the measurements best; the sliders go "
                      "there, as one step that Undo takes back. Then for all that are likely");
    m_text->setObjectName("matchText");
    m_text->setWordWrap(true);
    auto *buttons = new QHBoxLayout;
    buttons->addWidget(m_open);
    buttons->addWidget(m_held, 1);
    buttons->addWidget(m_fit);
    body().addWidget(m_table);
    body().addLayout(buttons);
    body().addWidget(m_text);
    body().addLayout(m_plots);
    connect(m_open, &QPushButton::clicked, this, &MatchPage::choose);
    connect(m_fit, &QPushButton::clicked, this, &MatchPage::fit);
}

void MatchPage::choose()
{
    auto *dialog = new QFileDialog(this, "Measurements", {}, "Tables (*.csv);;All files (*)");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QFileDialog::fileSelected, this, &MatchPage::open);
    dialog->open();
}

void MatchPage::open(const QString &path)
{
    QFile file(path);
    if (const auto problem = problemOfOpening(file); !problem.isEmpty()) {
        say(QString("%1 cannot be read (%2): check the name").arg(path, problem), true);
        return;
    }
    const auto bytes = file.read(longestTable + 1);
    if (bytes.size() > longestTable) {
        say(QString("%1 is too long to be shown: use gridhelm-cli match").arg(path), true);
        return;
    }
    m_name = QFileInfo(path).fileName();
    m_table->setPlainText(QString::fromUtf8(bytes));
    say("Read " + m_name + ": press Fit");
}

/// Of another response nothing is different here, and of a study that has grown it is told; of
/// another study all is.
void MatchPage::refresh()
{
    m_fit->setEnabled(set() != nullptr);
    if (!set())
        return;
    if (m_space && (m_path != set()->path || !haveSameAxes(*m_space, set()->space)))
        forget();
    m_path = set()->path;
    m_space = set()->space;
    showText();
    m_held->setSpace(set()->space);
    const auto &all = set()->responses;
    auto example = std::ranges::find_if(
        all, [](const data::StudyResponse &response) { return response.problem.empty(); });
    if (example == all.end())
        example = all.begin();
    m_table->setPlaceholderText(
        QString("response,value,sd\n%1,0.5,0.01")
            .arg(cleanLine(QString::fromStdString(example->definition.name))));
}

bool MatchPage::isSameQuestion(const AnswerSet &other, std::size_t) const
{
    return areOfOneStudy(*set(), other); // whose responses are measured, any of them
}

bool MatchPage::isOld() const
{
    return m_fitted && set() && m_fitted->runs < set()->runs;
}

QString MatchPage::found() const
{
    return m_found + (isOld() ? QString(hasGrownText) + "." : QString());
}

/// What was found, and whether it is of the study as it is now.
void MatchPage::showText()
{
    m_text->setText(m_found
                    + (m_posterior ? "\nThe page Uncertainty predicts with these from now on." : "")
                    + (isOld() ? QString(hasGrownText) + ": press Fit again." : QString()));
}

void MatchPage::forget()
{
    m_fitted.reset();
    m_posterior.reset();
    m_found.clear();
    showText();
    for (auto *plot : std::exchange(m_marginals, {}))
        plot->deleteLater();
    emit posteriorFound(std::nullopt);
}

void MatchPage::fit()
{
    if (!set())
        return;
    forget();
    if (!m_inputs.prior()) {
        say("An input on the page Uncertainty has a mistake: mend it there", true);
        return;
    }
    MatchQuestion question;
    question.measurements = m_table->toPlainText().toStdString();
    question.name = m_name.toStdString();
    question.fixed = m_held->heldAt(sliders());
    question.fixed.resize(set()->space.parameters().size());
    question.sliders = sliders();
    question.prior = priorOf(*m_inputs.prior(), set()->space, question.fixed);
    compute([this, set = set(), question](const std::stop_token &stop) {
        auto fitted = std::make_shared<const FittedMatch>(bestFitOf(*set, question, stop));
        return [this, question, fitted] { showFit(question, fitted); };
    });
}

void MatchPage::showFit(const MatchQuestion &question, std::shared_ptr<const FittedMatch> fitted)
{
    m_fitted = std::move(fitted);
    m_found = fitText();
    showText();
    emit placeFound(m_fitted->place);
    compute([this, set = set(), question, fitted = m_fitted](const std::stop_token &stop) {
        auto posterior = posteriorOf(*set, question, *fitted, stop);
        return [this, question, posterior = std::move(posterior)] {
            showPosterior(question, posterior);
        };
    });
}

QString MatchPage::fitText() const
{
    const auto &space = set()->space;
    QString place;
    for (const auto t : m_fitted->match.matching->unknowns())
        place += (place.isEmpty() ? "" : ", ") + cleanLine(QString::fromStdString(space[t].name))
                 + " = " + valueText(m_fitted->place[t], space[t].unit);
    const auto count = m_fitted->match.measurements.size();
    auto text = QString("Best fit: %1. Off by %2 standard deviations (root mean square of %3 %4).")
                    .arg(place)
                    .arg(std::sqrt(m_fitted->fit.chiSquare / static_cast<double>(count)), 0, 'g', 3)
                    .arg(count)
                    .arg(count == 1 ? "measurement" : "measurements");
    for (const auto &doubt : m_posterior ? m_posterior->doubts : m_fitted->doubts) {
        auto sentence = cleanLine(QString::fromStdString(doubt));
        sentence[0] = sentence[0].toUpper();
        text += "\n" + sentence + ".";
    }
    return text;
}

void MatchPage::showPosterior(const MatchQuestion &question, MatchPosterior posterior)
{
    m_posterior = std::move(posterior);
    auto text = fitText();
    const auto &space = set()->space;
    for (const auto &marginal : m_posterior->marginals) {
        const auto &parameter = space[marginal.parameter];
        const auto name = cleanLine(QString::fromStdString(parameter.name));
        const auto &at = marginal.spread.percentiles;
        text += QString("\n%1: %2 (95 %: %3 to %4)")
                    .arg(name, valueText(at[1], parameter.unit), valueText(at[0], parameter.unit),
                         valueText(at[2], parameter.unit));
        auto *plot = new HistogramPlot("likely-" + name, this);
        plot->setObjectName("marginal:" + name);
        plot->setAccessibleName("Likely values of " + name);
        plot->setToolTip(
            plainTip("How likely the values of " + name + " are; dashed: 2.5, 50 and 97.5 %"));
        plot->show(marginal.spread, name, at, std::nullopt);
        connect(plot, &HistogramPlot::news, this, &AnswerPage::news);
        connect(plot, &HistogramPlot::failed, this, &AnswerPage::failed);
        m_plots->addWidget(plot);
        m_marginals.push_back(plot);
    }
    if (!m_posterior->hasConverged)
        text += "\nThe samples have not converged (R-hat below 1.01): take the widths with care.";
    m_found = text;
    showText();
    emit posteriorFound(
        KnownAfter{m_posterior->samples, question.fixed, QString::fromStdString(question.name)});
}

} // namespace gridhelm::ui
