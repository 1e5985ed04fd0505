// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/views/compared_views.h"

#include <QPainter>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

namespace gridhelm::ui {
namespace {

constexpr auto turn = std::chrono::milliseconds(600); ///< of either state, while they blink

QImage sideBySide(const QImage &left, const QImage &right)
{
    QImage both(left.width() + right.width(), std::max(left.height(), right.height()),
                left.format());
    both.fill(left.hasAlphaChannel() ? Qt::transparent : Qt::black);
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
    connect(m_steered, &SteeredView::sceneChanged, this, &ComparedViews::followCamera);
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
    if (!isPinned(*frame))
        return; // of what was pinned before
    m_pinnedFrame = std::move(frame);
    arrange();
}

bool ComparedViews::isPinned(const FieldFrame &frame) const
{
    const auto &now = m_model.now();
    // A that moves is shown where it was until its next frame is there, as B is.
    return now.pinned && (now.pinnedMoves || frame.request.parameters == *now.pinned);
}

void ComparedViews::setStudyRange(std::optional<ValueRange> range)
{
    m_studyRange = range;
    m_steered->setStudyRange(range);
    if (m_pinned)
        m_pinned->setStudyRange(range);
}

void ComparedViews::setCamera(const std::optional<CameraPlace> &place)
{
    m_steered->setCamera(place);
    m_mustFollowCamera = true;
}

/// The pinned view may have been shown before the steered one had the camera.
void ComparedViews::followCamera()
{
    if (!m_mustFollowCamera || m_steered->awaitsCamera())
        return;
    m_mustFollowCamera = false;
    if (isPinnedShown() && m_pinned->sceneWidget())
        m_pinned->sceneWidget()->lookLike(*m_steered->sceneWidget());
}

void ComparedViews::arrange()
{
    const auto &now = m_model.now();
    if (m_pinnedFrame && !isPinned(*m_pinnedFrame))
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

QSize ComparedViews::pictureSize() const
{
    const auto *steered = m_steered->sceneWidget();
    if (!steered)
        return {};
    const auto right = steered->pictureSize();
    if (!isPinnedShown())
        return right;
    const auto left = m_pinned->sceneWidget()->pictureSize();
    return {left.width() + right.width(), std::max(left.height(), right.height())};
}

void ComparedViews::takePicture(const PictureForm &form, SceneWidget::TakeFormed take)
{
    auto *steered = m_steered->sceneWidget();
    if (!steered) {
        take({}, "Fields cannot be drawn on this screen, because it has no OpenGL");
        return;
    }
    try {
        if (!form.size.isEmpty())
            requirePossible(form.size);
    } catch (const std::exception &problem) {
        take({}, QString::fromUtf8(problem.what()));
        return;
    }
    if (!isPinnedShown()) {
        steered->takePicture(form, std::move(take));
        return;
    }
    auto ofRight = form, ofLeft = form;
    if (!form.size.isEmpty()) {
        const double share = static_cast<double>(steered->pictureSize().width())
                             / std::max(pictureSize().width(), 1);
        ofRight.size.setWidth(static_cast<int>(std::lround(share * form.size.width())));
        ofLeft.size.setWidth(form.size.width() - ofRight.size.width());
    }
    steered->takePicture(ofRight, [this, ofLeft, take = std::move(take)](const QImage &right,
                                                                         const QString &problem) {
        if (right.isNull()) {
            take({}, problem);
            return;
        }
        m_pinned->sceneWidget()->takePicture(
            ofLeft, [right, take](const QImage &left, const QString &why) {
                take(left.isNull() ? QImage() : sideBySide(left, right), why);
            });
    });
}

QImage ComparedViews::picture()
{
    auto *steered = m_steered->sceneWidget();
    if (!steered)
        return {};
    const auto right = steered->picture();
    if (!isPinnedShown())
        return right;
    return sideBySide(m_pinned->sceneWidget()->picture(), right);
}

} // namespace gridhelm::ui
