// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/views/compared_views.h"

#include <QPainter>
#include <QSplitter>
#include <QVBoxLayout>

#include <utility>

namespace gridhelm::ui {
namespace {

constexpr auto turn = std::chrono::milliseconds(600); ///< of either state, while they blink

QImage sideBySide(const QImage &left, const QImage &right)
{
    QImage both(left.width() + right.width(), std::max(left.height(), right.height()),
                QImage::Format_RGB32);
    QPainter painter(&both);
    const auto place = [&painter](int x, QImage part) {
        part.setDevicePixelRatio(1);
        painter.drawImage(x, 0, part);
    };
    place(0, left);
    place(left.width(), right);
    return both;
}

} // namespace

ComparedViews::ComparedViews(SteeringModel &model, QWidget *parent)
    : QWidget(parent)
    , m_model(model)
    , m_splitter(new QSplitter(Qt::Horizontal, this))
    , m_steered(new SteeredView(model))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_splitter);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->addWidget(m_steered);
    if (m_steered->sceneWidget())
        m_cameras.add(*m_steered->sceneWidget());
    m_blink.setInterval(turn);
    connect(&m_blink, &QTimer::timeout, this, [this] {
        m_isPinnedsTurn = !m_isPinnedsTurn;
        m_steered->setSeen(m_isPinnedsTurn ? Seen::pinned : Seen::steered);
    });
    connect(m_steered, &SteeredView::failed, this, &ComparedViews::failed);
    connect(&model, &SteeringModel::changed, this, [this](const Steering &before) {
        const auto &now = m_model.now();
        if (comparingOf(now) != comparingOf(before) || now.pinned != before.pinned)
            arrange();
    });
    connect(&model, &SteeringModel::studyChanged, this, [this] {
        if (m_steeredFrame && m_steeredFrame->study->path != m_model.study()->path)
            m_studyRange.reset();
        arrange();
    });
}

void ComparedViews::showFrame(std::shared_ptr<const FieldFrame> frame)
{
    if (frame->request.side == Side::steered) {
        m_steeredFrame = std::move(frame);
        m_steered->showFrame(m_steeredFrame);
        if (m_pinned && !m_pinned->isHidden())
            m_pinned->showFrame(m_steeredFrame);
        return;
    }
    if (frame->request.parameters != m_model.now().pinned)
        return; // of what was pinned before
    m_pinnedFrame = std::move(frame);
    arrange();
}

void ComparedViews::setStudyRange(std::optional<ValueRange> range)
{
    m_studyRange = range;
    m_steered->setStudyRange(range);
    if (m_pinned)
        m_pinned->setStudyRange(range);
}

void ComparedViews::arrange()
{
    const auto &now = m_model.now();
    if (m_pinnedFrame && m_pinnedFrame->request.parameters != now.pinned)
        m_pinnedFrame.reset();
    const auto comparing = comparingOf(now);
    const bool areTwo = comparing == Comparing::sideBySide;
    m_steered->setPinned(m_pinnedFrame);
    if (comparing == Comparing::blink) {
        if (!m_blink.isActive())
            m_blink.start();
    } else {
        m_blink.stop();
        m_isPinnedsTurn = false;
        m_steered->setSeen(comparing == Comparing::difference ? Seen::difference : Seen::steered);
    }
    if (areTwo && !m_pinned)
        makePinned();
    if (!m_pinned)
        return;
    if (areTwo && m_pinned->isHidden()) {
        m_mustLookAlike = true;
        m_pinned->show();
        m_splitter->setSizes({width() / 2, width() / 2});
        if (m_steeredFrame)
            m_pinned->showFrame(m_steeredFrame);
    }
    m_pinned->setVisible(areTwo);
    m_pinned->setPinned(areTwo ? m_pinnedFrame : nullptr); // what is hidden costs nothing
    if (!areTwo)
        m_pinned->forgetFrame();
}

void ComparedViews::makePinned()
{
    m_pinned = new SteeredView(m_model);
    m_pinned->setSeen(Seen::pinned);
    m_pinned->setStudyRange(m_studyRange);
    m_pinned->hide();
    m_splitter->insertWidget(0, m_pinned);
    connect(m_pinned, &SteeredView::failed, this, &ComparedViews::failed);
    if (m_pinned->sceneWidget()) {
        m_cameras.add(*m_pinned->sceneWidget());
        connect(m_pinned, &SteeredView::sceneChanged, this, [this] {
            if (std::exchange(m_mustLookAlike, false))
                m_pinned->sceneWidget()->lookLike(*m_steered->sceneWidget());
        });
    }
}

void ComparedViews::takePicture(SceneWidget::TakePicture take)
{
    auto *steered = m_steered->sceneWidget();
    if (!steered)
        return;
    if (!m_pinned || m_pinned->isHidden()) {
        steered->takePicture(std::move(take));
        return;
    }
    steered->takePicture([this, take = std::move(take)](const QImage &right) {
        m_pinned->sceneWidget()->takePicture(
            [right, take](const QImage &left) { take(sideBySide(left, right)); });
    });
}

QImage ComparedViews::picture()
{
    auto *steered = m_steered->sceneWidget();
    if (!steered)
        return {};
    const auto right = steered->picture();
    if (!m_pinned || m_pinned->isHidden())
        return right;
    return sideBySide(m_pinned->sceneWidget()->picture(), right);
}

} // namespace gridhelm::ui
