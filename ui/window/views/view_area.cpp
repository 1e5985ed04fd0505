// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/views/view_area.h"

#include "ui/steering/camera_state.h"
#include "ui/window/views/companion_actions.h"
#include "ui/window/window_files.h"

#include <QHideEvent>
#include <QJsonArray>
#include <QShowEvent>

#include <algorithm>

namespace gridhelm::ui {
namespace {

constexpr auto arrangementKey = "arrangement", placesKey = "places", camerasKey = "cameras";

QString nameOfDock(qsizetype index)
{
    return QString("companion %1").arg(index + 1);
}

} // namespace

ViewArea::ViewArea(SteeringModel &model, std::shared_ptr<const sparse::Backend> backend,
                   QWidget *parent)
    : QMainWindow(parent)
    , m_model(model)
    , m_backend(std::move(backend))
    , m_compared(new ComparedViews(model))
{
    setWindowFlags(Qt::Widget); // it is a part of a window
    setCentralWidget(m_compared);
    setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
    connect(m_compared, &ComparedViews::failed, this, &ViewArea::failed);
    connect(&model, &SteeringModel::changed, this,
            [this](const Steering &before) { follow(before.companions); });
    connect(&model, &SteeringModel::studyChanged, this, [this] {
        m_frames.clear();
        follow({});
    });
}

void ViewArea::setBackend(const std::shared_ptr<const sparse::Backend> &backend)
{
    m_backend = backend;
    for (auto *dock : m_docks)
        dock->range().setBackend(backend);
}

std::vector<data::FieldIndex> ViewArea::furtherFields() const
{
    const auto &now = m_model.now();
    std::vector<data::FieldIndex> fields;
    for (const auto &look : now.companions) {
        if (look.field != now.field && std::ranges::find(fields, look.field) == fields.end())
            fields.push_back(look.field);
    }
    return fields;
}

bool ViewArea::isFieldShared() const
{
    const auto &now = m_model.now();
    return std::ranges::find(now.companions, now.field, &Look::field) != now.companions.end();
}

void ViewArea::showFrame(const std::shared_ptr<const FieldFrame> &frame)
{
    if (frame->request.side != Side::companion)
        m_compared->showFrame(frame);
    if (frame->request.side == Side::pinned)
        return;
    const auto fields = furtherFields();
    std::erase_if(m_frames, [&](const auto &kept) {
        return kept.first != m_model.now().field
               && std::ranges::find(fields, kept.first) == fields.end();
    });
    m_frames[frame->request.field] = frame;
    for (auto *dock : m_docks)
        dock->showFrame(frame);
}

/// One more or one less: the others keep their places and their cameras.
void ViewArea::follow(const std::vector<Look> &before)
{
    const auto &looks = m_model.now().companions;
    const auto wanted = static_cast<qsizetype>(looks.size());
    const auto same = std::ranges::mismatch(before, looks).in1 - before.begin();
    while (m_docks.size() > wanted) {
        auto *dock = m_docks.takeAt(std::min<qsizetype>(same, m_docks.size() - 1));
        removeDockWidget(dock);
        dock->leave();
        dock->deleteLater(); // it may be its own button that did this
    }
    for (auto at = same; m_docks.size() < wanted; ++at) {
        auto *dock = makeDock();
        m_docks.insert(std::min<qsizetype>(at, m_docks.size()), dock);
        place(*dock);
    }
    for (qsizetype i = 0; i < wanted; ++i) {
        auto &dock = *m_docks[i];
        const auto &look = looks[static_cast<std::size_t>(i)];
        dock.setIndex(static_cast<std::size_t>(i));
        dock.setObjectName(nameOfDock(i)); // a kept arrangement says which look is where
        const auto frame = m_frames.find(look.field);
        if (frame != m_frames.end() && dock.view().frame() != frame->second)
            dock.showFrame(frame->second);
    }
}

CompanionDock *ViewArea::makeDock()
{
    auto *dock = new CompanionDock(m_model, m_backend, this);
    dock->setObjectName(nameOfDock(m_docks.size())); // which is not taken
    const auto indexOf = [this, dock] { return static_cast<std::size_t>(m_docks.indexOf(dock)); };
    connect(dock, &CompanionDock::closeWanted, this, [this, indexOf] { remove(indexOf()); });
    connect(dock, &CompanionDock::exchangeWanted, this, [this, indexOf] { exchange(indexOf()); });
    connect(&dock->view(), &SteeredView::failed, this, &ViewArea::failed);
    if (auto *widget = dock->view().sceneWidget()) {
        m_compared->cameras().add(*widget, [this] { return m_model.now().camerasAreLinked; });
        connect(dock, &QDockWidget::visibilityChanged, widget, [this, widget](bool isVisible) {
            auto *main = m_compared->steered().sceneWidget();
            if (isVisible && m_model.now().camerasAreLinked && !main->showsAll())
                widget->lookLike(*main);
        });
    }
    return dock;
}

/// To the right of the main view, which stays the largest; one below the other, equally high.
void ViewArea::place(CompanionDock &dock)
{
    addDockWidget(Qt::RightDockWidgetArea, &dock);
    dock.show();
    QList<QDockWidget *> onTheRight;
    for (auto *other : m_docks) {
        if (!other->isFloating() && dockWidgetArea(other) == Qt::RightDockWidgetArea)
            onTheRight << other;
    }
    if (onTheRight.size() == 1)
        resizeDocks(onTheRight, {width() * 2 / 5}, Qt::Horizontal);
    resizeDocks(onTheRight, QList<int>(onTheRight.size(), height()), Qt::Vertical);
}

void ViewArea::remove(std::size_t index)
{
    m_model.change("close a view", withoutCompanion(m_model.now(), index));
}

void ViewArea::exchange(std::size_t index)
{
    m_model.change("exchange views", withExchanged(m_model.now(), index));
}

void ViewArea::showEvent(QShowEvent *event)
{
    if (!event->spontaneous())
        showApart(true);
}

void ViewArea::hideEvent(QHideEvent *event)
{
    if (!event->spontaneous())
        showApart(false);
}

/// Windows of their own know nothing of the one that they belong to: without a study they go, too.
void ViewArea::showApart(bool isShown)
{
    for (auto *dock : m_docks) {
        if (dock->isFloating())
            dock->setVisible(isShown);
    }
}

QJsonObject ViewArea::state() const
{
    QJsonArray cameras;
    for (auto *dock : m_docks) {
        const auto camera = dock->view().camera();
        cameras.append(camera ? QJsonValue(toJson(*camera)) : QJsonValue());
    }
    auto state = stateOf(m_model, m_compared->steered().camera());
    state[arrangementKey] = QJsonObject{{placesKey, QString::fromLatin1(saveState().toBase64())},
                                        {camerasKey, cameras}};
    return state;
}

void ViewArea::arrange(const QJsonObject &state)
{
    m_compared->setCamera(cameraFromJson(state[cameraKey].toObject()));
    const auto arrangement = state[arrangementKey].toObject();
    restoreState(QByteArray::fromBase64(arrangement[placesKey].toString().toLatin1()));
    const auto cameras = arrangement[camerasKey].toArray();
    for (qsizetype i = 0; i < m_docks.size(); ++i) {
        m_docks[i]->show(); // whatever was restored
        m_docks[i]->view().setCamera(cameraFromJson(cameras.at(i).toObject()));
    }
}

} // namespace gridhelm::ui
