// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/look/picture_option_rows.h"

#include "ui/controls/plain_text.h"
#include "ui/scene/pictures/picture_kind.h"
#include "ui/window/look/setting_slider.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QSignalBlocker>

#include <algorithm>
#include <cmath>

namespace gridhelm::ui {
namespace {

void makeEntries(QComboBox &box, const PictureOption &option, const MeshShape &shape, double value)
{
    const QSignalBlocker quiet(&box);
    box.clear();
    for (const auto &choice : option.choices) {
        if (choice.isPossible && !choice.isPossible(shape))
            continue;
        box.addItem(QString::fromUtf8(choice.name), choice.value);
        if (choice.value == value)
            box.setCurrentIndex(box.count() - 1);
    }
}

} // namespace

PictureOptionRows::PictureOptionRows(SteeringModel &model, QFormLayout &form, QWidget &parent)
    : QObject(&parent)
    , m_model(model)
    , m_form(form)
{
    for (const auto *option : allPictureOptions()) {
        if (option->name.empty())
            continue;
        Row row{option};
        if (option->type == PictureOption::Type::choice)
            form.addRow(QString::fromUtf8(option->name), row.choice = makeChoice(*option, parent));
        else if (option->type == PictureOption::Type::flag)
            form.addRow("", row.flag = makeFlag(*option, parent));
        else
            form.addRow(row.slider = makeSlider(*option, parent));
        m_rows.push_back(row);
    }
}

ValueSlider *PictureOptionRows::makeSlider(const PictureOption &option, QWidget &parent)
{
    auto *slider = new ValueSlider(QString::fromUtf8(option.name), QString::fromUtf8(option.unit),
                                   {option.low, option.high, option.isLogarithmic}, &parent);
    slider->setDefault(valueOf(option, {}));
    slider->setToolTip(QString::fromUtf8(option.help));
    steerWith(*slider, m_model, QString::fromUtf8(option.step),
              [&option](Steering &steering, double value) {
                  const bool isWhole = option.type == PictureOption::Type::whole;
                  setValue(option, isWhole ? std::round(value) : value, steering.view);
              });
    connect(slider, &ValueSlider::refused, this, &PictureOptionRows::refused);
    return slider;
}

QCheckBox *PictureOptionRows::makeFlag(const PictureOption &option, QWidget &parent)
{
    auto *box = new QCheckBox(QString::fromUtf8(option.name), &parent);
    box->setToolTip(plainTip(QString::fromUtf8(option.help)));
    connect(box, &QCheckBox::clicked, this, [this, &option](bool isOn) {
        steer(m_model, QString::fromUtf8(option.step),
              [&option, isOn](Steering &steering) { setValue(option, isOn, steering.view); });
    });
    return box;
}

QComboBox *PictureOptionRows::makeChoice(const PictureOption &option, QWidget &parent)
{
    auto *box = new QComboBox(&parent);
    box->setAccessibleName(QString::fromUtf8(option.subject));
    box->setToolTip(QString::fromUtf8(option.help));
    connect(box, &QComboBox::activated, this, [this, box, &option] {
        steer(m_model, QString::fromUtf8(option.step), [box, &option](Steering &steering) {
            setValue(option, box->currentData().toDouble(), steering.view);
        });
    });
    return box;
}

void PictureOptionRows::show(const MeshShape &shape, const data::Field &field)
{
    const auto &view = m_model.now().view;
    const auto of = kindOf(view.kind).options;
    for (const auto &[option, slider, choice, flag] : m_rows) {
        const double value = valueOf(*option, view);
        const bool isUsed = std::ranges::find(of, option) != of.end()
                            && (!option->isUsed || option->isUsed(shape))
                            && (!option->isOfVectors || field.components > 1)
                            && (!option->flag || isOn(*option->flag, view));
        if (flag) {
            flag->setChecked(value == 1);
            const auto reason = option->unavailableReason
                                    ? option->unavailableReason(shape.flat, field)
                                    : std::string();
            const auto tip =
                reason.empty() ? QString::fromUtf8(option->help) : QString::fromStdString(reason);
            flag->setEnabled(reason.empty());
            flag->setToolTip(plainTip(tip));
            m_form.setRowVisible(flag, isUsed);
        } else if (slider) {
            slider->setValue(value);
            m_form.setRowVisible(slider, isUsed);
        } else {
            makeEntries(*choice, *option, shape, value);
            m_form.setRowVisible(choice, isUsed);
        }
    }
}

} // namespace gridhelm::ui
