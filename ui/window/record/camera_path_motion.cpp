// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/record/camera_path_motion.h"

#include "core/support/error.h"
#include "ui/scene/camera/camera_path.h"
#include "ui/window/views/compared_views.h"

#include <QHBoxLayout>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace gridhelm::ui {
namespace {

constexpr int placeRole = Qt::UserRole;

} // namespace

std::optional<CameraPlace> CameraPathMotion::camera(const MotionStep &step) const
{
    const auto ways = m_places.size() - 1;
    const double at = step.share() * static_cast<double>(ways);
    const auto way = std::min(static_cast<std::size_t>(at), ways - 1);
    return between(m_places[way], m_places[way + 1], at - static_cast<double>(way));
}

CameraPathForm::CameraPathForm(const SteeringModel &model, ComparedViews &views, QWidget *parent)
    : MotionForm(parent)
    , m_views(views)
    , m_places(new QListWidget(this))
    , m_remove(new QPushButton("Re&move", this))
{
    m_places->setAccessibleName("Camera positions");
    m_places->setToolTip("The camera goes from each to the next. Drag them into another order; "
                         "double click: go there");
    m_places->setDragDropMode(QAbstractItemView::InternalMove);
    m_places->setMinimumHeight(60);
    m_places->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);
    auto *addPresent = new QPushButton("&Add present position", this);
    addPresent->setToolTip("Move the camera, add its position, and so on: at least two");
    m_remove->setToolTip("Takes the chosen position out of the list");
    auto *buttons = new QVBoxLayout;
    buttons->addWidget(addPresent);
    buttons->addWidget(m_remove);
    buttons->addStretch(1);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_places, 1);
    layout->addLayout(buttons);
    connect(addPresent, &QPushButton::clicked, this, &CameraPathForm::add);
    connect(m_remove, &QPushButton::clicked, this, [this] { delete m_places->currentItem(); });
    connect(m_places, &QListWidget::itemActivated, this, &CameraPathForm::goToChosen);
    connect(m_places, &QListWidget::currentRowChanged, this, &CameraPathForm::showState);
    connect(&model, &SteeringModel::studyChanged, this, [this, &model] {
        if (m_study && m_study->mesh != model.study()->mesh
            && *m_study->mesh != *model.study()->mesh)
            m_places->clear();
        showState();
    });
    showState();
}

void CameraPathForm::add()
{
    auto &view = m_views.steered();
    if (!view.sceneWidget() || !view.frame()) {
        emit refused("there is nothing to see yet; open a study first");
        return;
    }
    m_study = view.frame()->study;
    auto *item = new QListWidgetItem(QString("Position %1").arg(++m_added), m_places);
    item->setData(placeRole, QVariant::fromValue(view.sceneWidget()->seenFrom()));
    m_places->setCurrentItem(item);
}

void CameraPathForm::goToChosen()
{
    if (const auto *item = m_places->currentItem())
        m_views.steered().moveCamera(item->data(placeRole).value<CameraPlace>());
}

void CameraPathForm::showState()
{
    m_remove->setEnabled(m_places->currentItem() != nullptr);
}

std::shared_ptr<const Motion> CameraPathForm::motion() const
{
    if (m_places->count() < 2)
        throw Error("the camera needs at least two positions to go to; move it in the view, and "
                    "add each position to the list");
    std::vector<CameraPlace> places;
    for (int row = 0; row < m_places->count(); ++row)
        places.push_back(m_places->item(row)->data(placeRole).value<CameraPlace>());
    return std::make_shared<CameraPathMotion>(std::move(places));
}

} // namespace gridhelm::ui
