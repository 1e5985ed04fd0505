// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/answers/uncertainty_page.h"

#include "ui/answers/answer_questions.h"
#include "ui/answers/answer_text.h"
#include "ui/answers/histogram_plot.h"
#include "ui/answers/input_rows.h"
#include "ui/controls/plain_text.h"

#include <QFormLayout>
#include <QLineEdit>
#include <QVBoxLayout>

#include <cmath>
#include <utility>

namespace gridhelm::ui {

UncertaintyPage::UncertaintyPage(QWidget *parent)
    : AnswerPage(parent)
    , m_inputs(new InputRows(this))
    , m_threshold(new QLineEdit(this))
    , m_plot(new HistogramPlot("histogram", this))
    , m_text(new PlainLabel(this))
{
    m_threshold->setObjectName("threshold");
    m_threshold->setPlaceholderText("a value of the response");
    m_threshold->setToolTip("How often the response is above this");
    m_plot->setObjectName("histogram");
    m_plot->setAccessibleName("Histogram of the response");
    m_plot->setToolTip("How often the response has which value, by bars and as its density; "
                       "dashed: 5, 50 and 95 % of cases are below");
    m_text->setObjectName("uncertaintyText");
    m_text->setWordWrap(true);
    auto *above = new QFormLayout;
    above->addRow("Threshold", m_threshold);
    body().addWidget(m_inputs);
    body().addLayout(above);
    body().addWidget(m_plot);
    body().addWidget(m_text);
    connect(m_plot, &HistogramPlot::news, this, &AnswerPage::news);
    connect(m_plot, &HistogramPlot::failed, this, &AnswerPage::failed);
    connect(m_inputs, &InputRows::changed, this, &UncertaintyPage::becomeStale);
    connect(m_threshold, &QLineEdit::editingFinished, this, [this] {
        if (m_threshold->isModified())
            becomeStale();
        m_threshold->setModified(false);
    });
}

void UncertaintyPage::refresh()
{
    m_spread.reset();
    m_text->clear();
    m_plot->clear();
    if (set() && !saysProblem())
        grow();
}

void UncertaintyPage::grow()
{
    if (!m_inputs->inputs()) {
        say("Mend the input that has a mistake", true);
        return;
    }
    const auto typed = m_threshold->text().trimmed();
    std::optional<double> threshold;
    if (!typed.isEmpty()) {
        bool isNumber = false;
        const double value = typed.toDouble(&isNumber);
        if (!isNumber || !std::isfinite(value)) {
            say("Threshold is no number: write one as 2.5, or nothing", true);
            return;
        }
        threshold = value;
    }
    compute([this, set = set(), index = index(), inputs = *m_inputs->inputs(),
             threshold](const std::stop_token &stop) {
        auto spread = uncertaintyOf(*set, index, inputs, threshold, stop);
        return [this, threshold, spread = std::move(spread)] { showSpread(spread, threshold); };
    });
}

void UncertaintyPage::showSpread(const answers::Spread &spread, std::optional<double> threshold)
{
    m_spread = spread;
    const auto &unit = response().definition.unit;
    m_plot->show(spread,
                 cleanLine(QString::fromStdString(response().definition.name
                                                  + (unit.empty() ? "" : ", " + unit))),
                 spread.percentiles, threshold);
    auto text =
        QString("On average %1, standard deviation %2, from %3 to %4. 5th percentile %5, median "
                "%6, 95th percentile %7.")
            .arg(valueText(spread.mean, unit, response().digits), valueText(spread.deviation, unit),
                 valueText(spread.low, unit, response().digits),
                 valueText(spread.high, unit, response().digits),
                 valueText(spread.percentiles[0], unit, response().digits),
                 valueText(spread.percentiles[1], unit, response().digits),
                 valueText(spread.percentiles[2], unit, response().digits));
    if (spread.density)
        text += QString(" Most likely near %1.")
                    .arg(valueText(spread.density->mostLikely, unit, response().digits));
    const auto percent = [](double share) { return QString::number(100 * share, 'g', 3); };
    if (spread.above)
        text +=
            QString(" Above %1: in %2 % of cases (%3 to %4 %, from the number of samples).")
                .arg(valueText(*threshold, unit, response().digits), percent(spread.above->share),
                     percent(spread.above->low), percent(spread.above->high));
    m_text->setText(text + "\nThe surrogate: " + errorText(response(), set()->outlook));
}

} // namespace gridhelm::ui
