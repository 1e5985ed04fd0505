// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/files/unfinished_page.h"

#include "ui/controls/plain_text.h"
#include "ui/window/files/centred_page.h"

#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace gridhelm::ui {
namespace {

constexpr int sentenceWidth = 520;

} // namespace

UnfinishedPage::UnfinishedPage(QWidget *parent)
    : QWidget(parent)
    , m_name(new PlainLabel(this))
    , m_folder(new PlainLabel(this))
    , m_nextStep(new PlainLabel(this))
{
    auto font = m_name->font();
    font.setPointSizeF(font.pointSizeF() * 1.8);
    font.setWeight(QFont::Light);
    m_name->setFont(font);
    m_nextStep->setObjectName("nextStep");
    auto *later =
        new QLabel("The view opens here by itself as soon as there is something to show.");
    auto *campaign = new QPushButton("Show the panel Runs", this);
    campaign->setObjectName("showCampaign");
    campaign->setToolTip("Where jobs are run and results are compressed");
    auto *close = new QPushButton("Close the study", this);
    close->setObjectName("closeUnfinished");
    close->setToolTip("Back to the start page; what is running goes on");
    connect(campaign, &QPushButton::clicked, this, &UnfinishedPage::campaignWanted);
    connect(close, &QPushButton::clicked, this, &UnfinishedPage::closeWanted);

    auto &page = centredColumn(*this);
    for (auto *label : {m_name, m_folder, m_nextStep, later}) {
        label->setWordWrap(true);
        label->setFixedWidth(sentenceWidth);
        page.addWidget(label);
    }
    page.insertSpacing(page.indexOf(m_nextStep), 16);
    page.addSpacing(12);
    auto *buttons = new QHBoxLayout;
    buttons->addWidget(campaign);
    buttons->addWidget(close);
    buttons->addStretch(1);
    page.addLayout(buttons);
}

void UnfinishedPage::setStudy(const QString &path)
{
    const QFileInfo file(path);
    m_name->setText(cleanLine(file.completeBaseName()));
    m_folder->setText(cleanLine(QDir::toNativeSeparators(file.absolutePath())));
    setNextStep({});
}

void UnfinishedPage::setNextStep(const QString &sentence)
{
    m_nextStep->setText(sentence.isEmpty() ? QString("Reading the study ...") : sentence);
}

} // namespace gridhelm::ui
