// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/steering/field_frame.h"
#include "ui/steering/steering_model.h"
#include "ui/viewer/scene_widget.h"

#include <QWidget>

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace gridhelm::ui {

/// What a view shows of the two states that can be compared.
enum class Seen { steered, pinned, difference };

/// Shows frames as the model says: the main view's, or those of one of Steering::companions. Where
/// the platform cannot draw scenes, a sentence.
class SteeredView : public QWidget
{
    Q_OBJECT

public:
    explicit SteeredView(SteeringModel &model, QWidget *parent = nullptr);

    /// From now on this one of Steering::companions, which is never compared; none: the main view.
    void setCompanion(std::optional<std::size_t> index);
    /// That of the model.
    const Look &look() const;
    /// Whether it has a look: a companion that the model has no more has none until it goes.
    bool hasLook() const;

    void showFrame(std::shared_ptr<const FieldFrame> frame);
    /// Until the next one: a frame keeps the coefficients of its study.
    void forgetFrame();
    /// What is visible() of a field: in the picture at once, but frame() stays the last whole one.
    /// Nothing if something else is visible by now, or a newer whole one has come.
    void showPart(std::shared_ptr<const FieldFrame> part);
    /// Of a field; null: all, or not known.
    std::shared_ptr<const std::vector<std::uint32_t>> visible() const;
    /// A, to be compared with it; null: none. Without one, or while it is of another field, a
    /// difference cannot be shown: then the picture stays as it is.
    void setPinned(std::shared_ptr<const FieldFrame> frame);
    void setSeen(Seen seen);
    /// Of what is shown, over the whole study; none: not known yet.
    void setStudyRange(std::optional<ValueRange> range);

    /// The last one; none before the first.
    const std::shared_ptr<const FieldFrame> &frame() const { return m_frame; }
    /// What it took to hand the frame that is shown to the scene.
    double secondsToHand() const { return m_secondsToHand; }
    /// Null where scenes cannot be shown.
    SceneWidget *sceneWidget() const { return m_widget; }
    const Scene &scene() const { return m_scene; }

    /// Where the user has moved it to; none while it is where it began.
    std::optional<CameraPlace> camera() const;
    /// As soon as there is something to see; none: where it begins.
    void setCamera(const std::optional<CameraPlace> &place);
    /// Whether what it has said waits for a picture.
    bool awaitsCamera() const { return m_hasCamera; }
    /// As the user would, now: linked cameras follow; none: to where all is seen.
    void moveCamera(const std::optional<CameraPlace> &place);
    /// All of the mesh from that side; failed() where that makes no sense.
    void lookFrom(Sight sight);
    /// Why the present field cannot be shown like that: a sentence; empty if it can.
    QString unavailableReason(ViewKind kind) const;
    /// "Re = 400, t = 2.5 s"; of what is compared: "A: Re = 400, t = 2.5 s".
    QString caption() const;

protected:
    void changeEvent(QEvent *event) override;

signals:
    /// A frame's picture (also that of a part) is on the screen.
    void shown(std::shared_ptr<const gridhelm::ui::FieldFrame> frame);
    /// Range, title or mesh of the scene may be others.
    void sceneChanged();
    void failed(const QString &sentence);

private:
    void whenIdle(std::function<void()> change);
    void apply();
    void applyNow();
    void redraw(std::shared_ptr<const FieldFrame> frame);
    void sayWhatIsShown();
    void setScene();
    void setMesh();
    ViewSettings possible(ViewSettings view, const data::Field &field,
                          const std::vector<float> &values);
    bool canBeShown() const;
    const FieldFrame &shownFrame() const;
    ViewSettings viewNow() const;
    const data::Field &field() const;

    SteeringModel &m_model;
    std::optional<std::size_t> m_companion;
    Look m_applied; ///< when the scene was last set
    SceneWidget *m_widget = nullptr;
    Scene m_unseen; ///< where there is no widget
    Scene &m_scene;
    std::shared_ptr<const FieldFrame> m_frame;
    std::shared_ptr<const FieldFrame> m_pinned;
    Seen m_seen = Seen::steered;
    bool m_isNew = false;                              ///< m_frame: not given to the scene yet
    bool m_mustApply = false;                          ///< as soon as the scene is idle
    std::shared_ptr<const FieldFrame> m_partThatWaits; ///< for the same
    /// Not on the screen yet, with the number of the redraw() that shows it.
    std::deque<std::pair<std::uint64_t, std::shared_ptr<const FieldFrame>>> m_awaited;
    mutable std::shared_ptr<const std::vector<std::uint32_t>> m_visible; ///< when it was last asked
    std::shared_ptr<const data::Mesh> m_mesh;
    std::optional<ValueRange> m_studyRange;
    std::optional<data::Field> m_fieldInScene;
    bool m_hasCamera = false;                  ///< to be set with the next scene
    std::optional<CameraPlace> m_wantedCamera; ///< that one
    QString m_reason;                          ///< said already: why the kind was not shown
    QString m_scaleReason;                     ///< likewise: why the scale was not logarithmic
    QString m_optionReason;                    ///< likewise: why an option of the kind was not on
    double m_secondsToHand = 0;
};

} // namespace gridhelm::ui
