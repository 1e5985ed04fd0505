// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewer/linked_cameras.h"
#include "ui/window/views/steered_view.h"

#include <QTimer>

class QSplitter;

namespace gridhelm::ui {

/// The steered view, and what Steering::comparing makes of it and the pinned state: a second view
/// on its left, the two in turns, or their difference. The cameras of two views move together.
class ComparedViews : public QWidget
{
    Q_OBJECT

public:
    explicit ComparedViews(SteeringModel &model, QWidget *parent = nullptr);

    /// Of either side.
    void showFrame(std::shared_ptr<const FieldFrame> frame);
    void setStudyRange(std::optional<ValueRange> range);
    /// Of both views, with the steered one's next picture; see SteeredView::setCamera().
    void setCamera(const std::optional<CameraPlace> &place);

    SteeredView &steered() { return *m_steered; }
    /// Shown only side by side; null before it is needed for the first time.
    SteeredView *pinned() const { return m_pinned; }
    /// Those of both views, that always move together; others may join.
    LinkedCameras &cameras() { return m_cameras; }
    /// What is on the screen, as one picture: given later, or at once. Null, and why, if it cannot
    /// be drawn like that.
    void takePicture(const PictureForm &form, SceneWidget::TakeFormed take);
    /// The same as it is in the window, waited for; null where scenes cannot be shown.
    QImage picture();
    /// Of a picture as it is in the window; empty where scenes cannot be shown.
    QSize pictureSize() const;

signals:
    void failed(const QString &sentence);

private:
    /// Of A, as it is now or was a moment ago.
    bool isPinned(const FieldFrame &frame) const;
    bool isPinnedShown() const { return m_pinned && !m_pinned->isHidden(); }
    void arrange();
    void makePinned();
    void followCamera();

    SteeringModel &m_model;
    LinkedCameras m_cameras;
    QSplitter *m_splitter;
    SteeredView *m_steered;
    SteeredView *m_pinned = nullptr;
    std::shared_ptr<const FieldFrame> m_steeredFrame, m_pinnedFrame;
    std::optional<ValueRange> m_studyRange;
    QTimer m_blink;
    bool m_isPinnedsTurn = false;
    bool m_mustFollowCamera = false; ///< the pinned view, when the steered one has its camera
    bool m_mustLookAlike = false;    ///< when the pinned view has a picture
};

} // namespace gridhelm::ui
