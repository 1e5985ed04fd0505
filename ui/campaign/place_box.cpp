// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/campaign/place_box.h"

#include <QComboBox>
#include <QLineEdit>
#include <QVBoxLayout>

namespace gridhelm::ui {
namespace {

const QString here = QStringLiteral("local");
const QString cluster = QStringLiteral("slurm");
const QString other = QStringLiteral("slurm:");

} // namespace

PlaceBox::PlaceBox(QWidget *parent)
    : QWidget(parent)
    , m_places(new QComboBox(this))
    , m_host(new QLineEdit(this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    m_places->setObjectName("runPlace");
    m_places->setAccessibleName("Where runs go");
    m_places->setToolTip("Where runs go from now on, validation runs and those of Refine, too; the "
                         "plan stays as it is, and jobs that are elsewhere already stay there");
    m_host->setObjectName("runHost");
    m_host->setPlaceholderText("me@login.cluster");
    m_host->setAccessibleName("Login node of the cluster");
    m_host->setToolTip("The login node of a cluster with Slurm, as you write it for ssh, which has "
                       "to work without a question");
    layout->addWidget(m_places);
    layout->addWidget(m_host);
    connect(m_places, &QComboBox::currentIndexChanged, this, &PlaceBox::follow);
    setState(nullptr);
}

void PlaceBox::setState(const StudyStatePtr &state)
{
    setVisible(state && state->canGoElsewhere);
    const auto study = state ? state->path : QString();
    const auto clusterNow = state ? state->cluster : QString();
    if (study == m_study && clusterNow == m_cluster && m_places->count() > 0)
        return;
    m_study = study;
    m_cluster = clusterNow;
    m_places->clear();
    m_places->addItem("on this computer", here);
    if (!m_cluster.isEmpty())
        m_places->addItem("on cluster " + m_cluster, cluster);
    m_places->addItem("on another cluster", other);
    m_places->setItemData(m_places->count() - 1, "A cluster with Slurm, which is asked over ssh",
                          Qt::ToolTipRole);
    m_places->setCurrentIndex(m_cluster.isEmpty() ? 0 : 1);
    m_host->clear();
    follow();
}

void PlaceBox::follow()
{
    m_host->setVisible(m_places->currentData().toString() == other);
}

std::string PlaceBox::place() const
{
    const auto chosen = m_places->currentData().toString();
    if (isHidden() || chosen == (m_cluster.isEmpty() ? here : cluster))
        return {};
    return (chosen == other ? other + m_host->text().trimmed() : chosen).toStdString();
}

} // namespace gridhelm::ui
