// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/answers/uncertainty_page.h"

#include "ui/answers/answer_questions.h"
#include "ui/answers/answer_text.h"
#include "ui/answers/histogram_plot.h"
#include "ui/answers/input_rows.h"
#include "ui/controls/plain_text.h"
#include "ui/controls/table_copying.h"

#include <QFormLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QTableWidget>
#include <QVBoxLayout>

#include <cmath>
#include <utility>
#include <vector>

namespace gridhelm::ui {

UncertaintyPage::UncertaintyPage(QWidget *parent)
    : AnswerPage(parent)
    , m_inputs(new InputRows(this))
    , m_threshold(new QLineEdit(this))
    , m_plot(new HistogramPlot("histogram", this))
    , m_statistics(new QTableWidget(0, 2, this))
    , m_text(new PlainLabel(this))
{
    m_threshold->setObjectName("threshold");
    m_threshold->setPlaceholderText("a value of the response");
    m_threshold->setToolTip("How often the response is above this");
    m_plot->setObjectName("histogram");
    m_plot->setAccessibleName("Histogram of the response");
    m_plot->setToolTip("How often the response has which value, by bars and as its density; "
                       "dashed: 5, 50 and 95 % of cases are below");
    m_statistics->setObjectName("statistics");
    m_statistics->setAccessibleName("Statistics of the response");
    m_statistics->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_statistics->horizontalHeader()->hide();
    m_statistics->horizontalHeader()->setStretchLastSection(true);
    m_statistics->horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    m_statistics->verticalHeader()->hide();
    m_statistics->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 4);
    m_statistics->setTabKeyNavigation(false);
    m_statistics->hide();
    new TableCopying(*m_statistics);
    m_text->setObjectName("uncertaintyText");
    m_text->setWordWrap(true);
    auto *above = new QFormLayout;
    above->addRow("Threshold", m_threshold);
    body().addWidget(m_inputs);
    body().addLayout(above);
    body().addWidget(m_plot);
    body().addWidget(m_statistics);
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
    m_statistics->hide();
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
    m_plot->show(spread, axisText(response().definition.name, unit), spread.percentiles, threshold);
    const auto value = [&](double number) { return valueText(number, unit, response().digits); };
    std::vector<std::pair<QString, QString>> rows{
        {"mean", value(spread.mean)},
        {"standard deviation", valueText(spread.deviation, unit)},
        {"smallest", value(spread.low)}};
    for (std::size_t i = 0; i < spread.percentiles.size(); ++i)
        rows.emplace_back(shownShares[i] == 0.5
                              ? QString("median")
                              : QString("%1th percentile").arg(100 * shownShares[i]),
                          value(spread.percentiles[i]));
    rows.emplace_back("largest", value(spread.high));
    if (spread.density)
        rows.emplace_back("most likely near", value(spread.density->mostLikely));
    const auto percent = [](double share) { return QString::number(100 * share, 'g', 3); };
    if (spread.above)
        rows.emplace_back("above " + value(*threshold),
                          QString("%1 % of cases (%2 to %3 %, from the number of samples)")
                              .arg(percent(spread.above->share), percent(spread.above->low),
                                   percent(spread.above->high)));
    m_statistics->setRowCount(static_cast<int>(rows.size()));
    int height = 2 * m_statistics->frameWidth();
    for (int row = 0; row < m_statistics->rowCount(); ++row) {
        const auto &[name, text] = rows[static_cast<std::size_t>(row)];
        m_statistics->setItem(row, 0, new QTableWidgetItem(name));
        m_statistics->setItem(row, 1, new QTableWidgetItem(text));
        height += m_statistics->rowHeight(row);
    }
    m_statistics->setFixedHeight(height);
    m_statistics->show();
    m_text->setText("The surrogate: " + errorText(response(), set()->outlook));
}

} // namespace gridhelm::ui
