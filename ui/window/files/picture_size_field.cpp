// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/files/picture_size_field.h"

#include "ui/viewer/picture_form.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSpinBox>

#include <array>
#include <initializer_list>
#include <utility>

namespace gridhelm::ui {
namespace {

struct SizeChoice
{
    const char *name;
    int timesWindow = 0; ///< or
    QSize size = {};     ///< empty with 0: any
};

constexpr std::array sizeChoices{
    SizeChoice{"As in the window", 1},     SizeChoice{"Twice as large", 2},
    SizeChoice{"Four times as large", 4},  SizeChoice{"Full HD", 0, {1920, 1080}},
    SizeChoice{"4K UHD", 0, {3840, 2160}}, SizeChoice{"Other", 0},
};

} // namespace

PictureSizeField::PictureSizeField(std::function<QSize()> inWindow, QWidget *parent)
    : QWidget(parent)
    , m_inWindow(std::move(inWindow))
    , m_choice(new QComboBox(this))
    , m_width(new QSpinBox(this))
    , m_height(new QSpinBox(this))
{
    m_choice->setAccessibleName("Size of the picture");
    m_choice->setToolTip("Text and lines grow with the picture");
    for (const auto &choice : sizeChoices)
        m_choice->addItem(choice.name);
    m_width->setAccessibleName("Width in pixels");
    m_height->setAccessibleName("Height in pixels");
    for (auto *side : {m_width, m_height}) {
        side->setRange(smallestPicture, largestPicture);
        side->setToolTip("Pixels; for sizes of your own choose Other");
    }
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_choice, 1);
    layout->addWidget(m_width);
    layout->addWidget(new QLabel("×", this));
    layout->addWidget(m_height);
    setFocusProxy(m_choice);
    connect(m_choice, &QComboBox::currentIndexChanged, this, &PictureSizeField::showSize);
}

QSize PictureSizeField::size() const
{
    const auto &choice = sizeChoices[static_cast<std::size_t>(m_choice->currentIndex())];
    if (choice.timesWindow == 1)
        return {};
    if (choice.timesWindow > 1)
        return choice.timesWindow * m_inWindow();
    return choice.size.isEmpty() ? QSize(m_width->value(), m_height->value()) : choice.size;
}

/// Other begins with what was chosen before.
void PictureSizeField::showSize()
{
    const auto &choice = sizeChoices[static_cast<std::size_t>(m_choice->currentIndex())];
    const bool isOther = choice.timesWindow == 0 && choice.size.isEmpty();
    for (auto *side : {m_width, m_height})
        side->setEnabled(isOther);
    if (isOther)
        return;
    const auto shown = choice.timesWindow > 0 ? choice.timesWindow * m_inWindow() : choice.size;
    m_width->setValue(shown.width());
    m_height->setValue(shown.height());
}

void PictureSizeField::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    showSize(); // the window may have another size now
}

} // namespace gridhelm::ui
