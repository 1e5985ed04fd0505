// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/status_line.h"

#include "ui/controls/icon.h"
#include "ui/controls/message_bar.h"
#include "ui/controls/plain_text.h"
#include "ui/trust/error_model.h"
#include "ui/trust/indicator_tint.h"
#include "ui/window/views/steered_view.h"

#include <QLabel>
#include <QStatusBar>
#include <QToolButton>

#include <utility>

namespace gridhelm::ui {
namespace {

constexpr int milliseconds = 100; // between two writings

/// Where a frame was computed, if its back end does not say that: another may have taken over.
QString placeOf(const FieldFrame &frame)
{
    const auto &where = frame.work.computedOn;
    if (where.isNowhere() || frame.backend == "omp" || frame.backend == "reference")
        return {};
    return " on " + QString::fromStdString(where.text());
}

} // namespace

StatusLine::StatusLine(QStatusBar &bar, const SteeredView &view, MessageBar &messages)
    : QObject(&bar)
    , m_view(view)
    , m_shown(new PlainLabel(&bar))
    , m_latency(new PlainLabel(&bar))
    , m_indicator(new PlainLabel(&bar))
    , m_backend(new PlainLabel(&bar))
{
    m_latency->setToolTip("From the event that asked for the last picture until it was on the "
                          "screen; and what of that the evaluation took");
    m_indicator->setToolTip(
        "Norm of what the finest complete level of the grid adds, by the norm of the field: an "
        "estimate of the accuracy here. At rest also the error bound by that norm, calibrated at "
        "validation points: one draw of 19 of them covers 85 to 99.7 % of the parameter space, 95 "
        "% on average; corners and ends of the ranges are not included");
    m_backend->setToolTip("What evaluates, and its threads; to be chosen in the panel Performance "
                          "(Ctrl+P)");
    m_shown->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // a path may be long
    bar.addWidget(m_shown, 1);
    for (auto *label : {m_latency, m_indicator, m_backend})
        bar.addPermanentWidget(label);
    addButtonOf(messages, bar);
    m_soon.setSingleShot(true);
    m_soon.setInterval(milliseconds);
    connect(&m_soon, &QTimer::timeout, this, &StatusLine::write);
}

void StatusLine::addButtonOf(MessageBar &messages, QStatusBar &bar)
{
    auto *button = new QToolButton(&bar);
    button->setAutoRaise(true);
    button->setIcon(icon("messages"));
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setAccessibleName("Messages");
    button->setToolTip("All messages since the program started");
    const auto count = [button, &history = messages.history()] {
        button->setText(QString::number(history.entries().size()));
    };
    connect(&messages.history(), &MessageHistory::changed, button, count);
    connect(button, &QToolButton::clicked, &messages, &MessageBar::showHistory);
    count();
    bar.addPermanentWidget(button);
}

void StatusLine::setBackend(const QString &text)
{
    m_backend->setText(text);
}

void StatusLine::say(const QString &what)
{
    m_soon.stop();
    m_shown->setText(what);
}

void StatusLine::clear()
{
    m_soon.stop();
    m_frame.reset();
    m_band.reset();
    for (auto *label : {m_shown, m_latency, m_indicator})
        label->clear();
}

void StatusLine::frameShown(std::shared_ptr<const FieldFrame> frame, double latency)
{
    m_frame = std::move(frame);
    m_seconds = latency;
    sceneChanged();
}

void StatusLine::sceneChanged()
{
    if (m_frame && !m_soon.isActive())
        m_soon.start();
}

void StatusLine::setBand(std::shared_ptr<const BandAtState> band)
{
    m_band = std::move(band);
    sceneChanged();
}

QString StatusLine::bandText() const
{
    if (!m_band || m_frame->study != m_band->study || m_frame->request.field != m_band->field
        || m_frame->request.parameters != m_band->parameters)
        return {};
    const auto &here = m_band->here;
    return ", " + QString::fromStdString(data::bandText(here.band, here.relative));
}

void StatusLine::write()
{
    const auto range = m_view.scene().range();
    m_shown->setText(
        QString("%1: %2 .. %3%4")
            .arg(QString::fromStdString(m_view.scene().title()), QString::number(range.low, 'g', 5),
                 QString::number(range.high, 'g', 5), m_frame->isExact ? "" : "   (coarse)"));
    m_latency->setText(QString("shown in %1 ms (evaluated %2%3)")
                           .arg(1000 * m_seconds, 0, 'f', 0)
                           .arg(1000 * m_frame->seconds, 0, 'f', 1)
                           .arg(placeOf(*m_frame)));
    const auto job = m_frame->request.job;
    m_indicator->setText(job == 0 ? "indicator " + percentText(m_frame->indicatorShare) + bandText()
                                  : QString("result of job %1").arg(job));
}

} // namespace gridhelm::ui
