// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/backend.h"
#include "ui/probe/probe_overlay.h"
#include "ui/probe/probe_service.h"
#include "ui/steering/steering_model.h"

#include <QPointer>
#include <QTimer>
#include <QWidget>

#include <functional>
#include <memory>
#include <optional>
#include <utility>

class QBoxLayout;
class QLabel;
class QTabWidget;

namespace gridhelm::ui {

class CurvesPage;
class LinePage;
class MapPage;
class PlaceRow;
class SceneWidget;
class ValueTree;

/// Who else may want what is pointed at in the view; true: it has been taken.
struct PlaceTaker
{
    std::function<bool(const MeshPlace &)> point;
    std::function<bool(const ProbeLine &)> line;
};

/// What the study says at one place of its mesh: the values of all fields, how the shown one
/// depends on the parameters there, and along a line. A click in the view chooses the place.
class ProbePanel : public QWidget
{
    Q_OBJECT

public:
    /// `view`: null where scenes cannot be shown; places are typed then.
    ProbePanel(SteeringModel &model, std::shared_ptr<const sparse::Backend> backend,
               SceneWidget *view, QWidget *parent = nullptr);
    ~ProbePanel() override;

    /// What evaluates from now on.
    void setBackend(std::shared_ptr<const sparse::Backend> backend);
    /// What the view shows now; its scene is as it is drawn.
    void setFrame(std::shared_ptr<const FieldFrame> frame);
    /// Whether it can be seen: nothing is evaluated otherwise.
    void setActive(bool isActive);
    /// Asked first; what it takes is not probed.
    void setTaker(PlaceTaker taker) { m_taker = std::move(taker); }
    /// No study is open any more.
    void clearStudy();

    void setPlace(std::optional<MeshPlace> place);
    void setLine(std::optional<ProbeLine> line);

    /// The last one that belongs to what is probed; null before the first.
    const std::shared_ptr<const ProbeAnswer> &answer() const { return m_answer; }
    /// Whether the last question is answered, for all fields.
    bool isSettled() const;
    QString head() const; ///< "Cell 12, its centre at"
    ProbeOverlay *overlay() const { return m_overlay; }
    ValueTree *values() const { return m_values; }
    PlaceRow *placeRow() const { return m_placeRow; }
    CurvesPage *curves() const { return m_curves; }
    LinePage *line() const { return m_line; }
    MapPage *map() const { return m_map; }
    QTabWidget *pages() const { return m_pages; }

signals:
    /// Something has been picked in the view that should be seen here.
    void wanted();
    /// By the user, who has moved parameters here.
    void moved();
    void news(const QString &sentence);
    void refused(const QString &sentence);
    void failed(const QString &sentence);

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void makePages();
    void studyChanged();
    void pick(const MeshPlace &place);
    void pickLine(const ProbeLine &line);
    void ask();
    bool wantsNorm() const;
    void show(std::shared_ptr<const ProbeAnswer> answer);
    void showAnswer();
    void showMark();
    void openIfWanted();

    SteeringModel &m_model;
    SceneWidget *m_view;
    PlaceTaker m_taker;
    ProbeService m_service;
    QPointer<ProbeOverlay> m_overlay; ///< of the view, which may be gone before this is hidden
    QLabel *m_what;
    PlaceRow *m_placeRow;
    ValueTree *m_values;
    QLabel *m_problem;
    QTabWidget *m_pages;
    CurvesPage *m_curves;
    LinePage *m_line;
    MapPage *m_map;
    QBoxLayout *m_sides;

    std::shared_ptr<const StudyFacts> m_study; ///< null: none is open
    std::shared_ptr<const FieldFrame> m_frame;
    std::optional<MeshPlace> m_place; ///< that was asked for
    std::optional<ProbeLine> m_lineOf;
    std::shared_ptr<const ProbeAnswer> m_answer;
    std::uint64_t m_lastNumber = 0;
    QTimer m_loading; ///< until the coefficients that are missing are looked for again
    bool m_isActive = false;
    bool m_hasBeenOpened = false; ///< for this study
    bool m_hasShape = false;
};

} // namespace gridhelm::ui
