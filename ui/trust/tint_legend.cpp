// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trust/tint_legend.h"

#include "ui/controls/plain_text.h"
#include "ui/controls/theme.h"
#include "ui/controls/value_slider.h"
#include "ui/controls/value_track.h"
#include "ui/trust/error_model.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace gridhelm::ui {
namespace {

constexpr double weakestShare = 1e-3, strongestShare = 0.1;
constexpr int space = 6; ///< between the parts of the line, in pixels
constexpr auto low = "0.1 %", high = "10 %";

/// "error bound 0.8 %", "indicator 0.1 %".
QString amountText(const TrackTint &tint, std::size_t part)
{
    const auto percent = percentText(tint.shown()[part]);
    return tint.band ? "error bound " + percent : "indicator " + percent;
}

QString tipOf(const TrackTint &tint, std::size_t part)
{
    const auto &study = *tint.study;
    const auto &parameter = study.parameters[tint.parameter];
    auto tip =
        (tint.band ? QString::fromStdString(data::coverageText(*tint.band)) + " " : QString())
        + QString("%1 of the field at %2 = %3")
              .arg(amountText(tint, part), QString::fromStdString(parameter.name),
                   QString::number(tint.at[part], 'g', 3));
    if (!parameter.unit.empty())
        tip += " " + QString::fromStdString(parameter.unit);
    const auto all = study.fields.at(tint.field).entities;
    if (tint.entities < all)
        tip += QString(", by %1 of %2 nodes or cells").arg(tint.entities).arg(all);
    return tip;
}

} // namespace

double tintStrength(double share)
{
    if (!(share > weakestShare)) // also no number
        return 0;
    return std::min(std::log(share / weakestShare) / std::log(strongestShare / weakestShare), 1.0);
}

TintLegend::TintLegend(SteeringModel &model, QWidget *parent)
    : QWidget(parent)
    , m_model(model)
{
    setAccessibleName("Scale of the tint under the sliders");
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    explain({});
    connect(&model, &SteeringModel::changed, this, &TintLegend::follow);
}

const ErrorBand *TintLegend::band() const
{
    const auto &study = m_model.study();
    const auto *band = study ? study->bandOf(m_model.now().field) : nullptr;
    return band ? &band->band : nullptr;
}

void TintLegend::explain(const QString &problem)
{
    m_problem = problem;
    const auto *calibrated = band();
    auto text =
        calibrated
            ? QString("The tint under each slider: the %1 error bound of the field if only this "
                      "slider moved,\n%2, relative to the field: none up to %3, full from %4 on.")
                  .arg(
                      QString::fromStdString(data::coverageText(*calibrated)),
                      calibrated->isCrossValidated()
                          ? "cross-validated"
                          : QString("calibrated at %1 validation points").arg(calibrated->holdOuts),
                      low, high)
            : QString("The tint under each slider: how much the grid's finest complete level would "
                      "add to the field if only this slider moved,\nas a share of the field (norm "
                      "by norm): none up to %1, full from %2 on. Where it is strong, the field is "
                      "less certain.")
                  .arg(low, high);
    if (!problem.isEmpty())
        text += "\nThere is none now: " + problem;
    setToolTip(plainTip(text));
    setAccessibleDescription(text);
    update();
}

void TintLegend::setSliders(std::vector<ValueSlider *> sliders)
{
    m_sliders = std::move(sliders);
    m_tints.assign(m_sliders.size(), nullptr);
    explain({});
}

void TintLegend::showTint(std::shared_ptr<const TrackTint> tint)
{
    if (tint->study != m_model.study() || tint->parameter >= m_sliders.size())
        return;
    Tint shown;
    for (std::size_t part = 0; part < tint->shown().size(); ++part) {
        shown.strengths.push_back(tintStrength(tint->shown()[part]));
        shown.tips << tipOf(*tint, part);
    }
    const auto t = tint->parameter;
    m_tints[t] = std::move(tint);
    m_sliders[t]->track()->setTint(std::move(shown));
    explain({});
    follow();
}

void TintLegend::showProblem(const QString &sentence)
{
    for (std::size_t t = 0; t < m_sliders.size(); ++t) {
        m_tints[t].reset();
        m_sliders[t]->track()->setTint({});
    }
    explain(sentence);
}

/// What the model says by now.
void TintLegend::follow()
{
    const auto &now = m_model.now();
    for (std::size_t t = 0; t < m_sliders.size(); ++t) {
        if (!m_tints[t])
            continue;
        auto tint = m_sliders[t]->track()->tint();
        const bool isStale = !m_tints[t]->isOf(now);
        if (m_tints[t]->field != now.field) {
            m_tints[t].reset();
            tint = {};
        } else if (isStale == tint.isStale) {
            continue;
        }
        tint.isStale = isStale;
        m_sliders[t]->track()->setTint(std::move(tint));
    }
}

QSize TintLegend::sizeHint() const
{
    return {180, fontMetrics().height() + 2};
}

QSize TintLegend::minimumSizeHint() const
{
    return {100, sizeHint().height()};
}

void TintLegend::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const auto colours = palette();
    const auto metrics = fontMetrics();
    painter.setPen(m_problem.isEmpty() ? quietTextColour(colours)
                                       : colours.color(QPalette::Disabled, QPalette::Text));
    int left = 0, right = width();
    const auto write = [&](const QString &text, bool isLeft) {
        const int length = metrics.horizontalAdvance(text);
        const QRect place(isLeft ? left : right - length, 0, length, height());
        painter.drawText(place, Qt::AlignVCenter, text);
        isLeft ? left += length + space : right -= length + space;
    };
    write(QString(band() ? "error" : "indicator") + (m_problem.isEmpty() ? "" : ": none"), true);
    if (!m_problem.isEmpty())
        return;
    left += space;
    write(low, true);
    write(high, false);
    for (int x = left; x < right; ++x) {
        const double strength = static_cast<double>(x - left) / std::max(right - left - 1, 1);
        painter.fillRect(x, height() / 2 - 2, 1, 4, tintColour(colours, strength));
    }
}

} // namespace gridhelm::ui
