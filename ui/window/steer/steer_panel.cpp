// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/steer/steer_panel.h"

#include "ui/controls/icon.h"
#include "ui/controls/plain_text.h"
#include "ui/controls/value_slider.h"
#include "ui/controls/value_track.h"
#include "ui/trust/tint_legend.h"
#include "ui/window/steer/parameter_range.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLabel>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

namespace gridhelm::ui {

SteerPanel::SteerPanel(SteeringModel &model, Animation &animation, QWidget *parent)
    : QWidget(parent)
    , m_model(model)
    , m_animation(animation)
    , m_title(new PlainLabel(this))
    , m_rows(new QVBoxLayout)
    , m_tint(new TintLegend(model, this))
{
    m_title->setWordWrap(true);
    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // of one long word, too
    auto *list = new QWidget(this);
    m_rows->setContentsMargins(0, 0, 6, 0);
    m_rows->setSpacing(10);
    auto *column = new QVBoxLayout(list);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(m_rows);
    column->addStretch(1);
    auto *scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus); // what is in it scrolls when it has the focus
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(list);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(m_title);
    layout->addWidget(scroll, 1);
    layout->addWidget(m_tint);
    layout->addWidget(makePlayer());
    connect(&model, &SteeringModel::studyChanged, this, &SteerPanel::showStudy);
    connect(&model, &SteeringModel::changed, this, &SteerPanel::showValues);
}

QWidget *SteerPanel::makePlayer()
{
    auto *player = new QWidget(this);
    m_played = new QComboBox(player);
    m_played->setAccessibleName("Parameter to play");
    m_played->setToolTip("The parameter that the animation runs through");
    // As wide as the panel, not as the longest name.
    m_played->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_played->setMinimumContentsLength(6);
    m_play = new QToolButton(player);
    m_play->setIcon(icon("play"));
    m_play->setToolTip("Play or stop (Space in the view)");
    m_play->setAccessibleName("Play");
    m_ending = new QComboBox(player);
    m_ending->addItem("loop", static_cast<int>(Animation::Ending::loop));
    m_ending->addItem("back and forth", static_cast<int>(Animation::Ending::pingPong));
    m_ending->addItem("once", static_cast<int>(Animation::Ending::stop));
    m_ending->setAccessibleName("What the animation does at the end");
    m_ending->setToolTip("What the animation does at the end of the range");
    m_seconds = new QDoubleSpinBox(player);
    m_seconds->setRange(0.5, 600);
    m_seconds->setValue(6);
    m_seconds->setDecimals(1);
    m_seconds->setSuffix(" s");
    m_seconds->setToolTip("How long the way through the range takes");
    m_seconds->setAccessibleName("Seconds through the range");
    auto *rows = new QGridLayout(player);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->addWidget(m_play, 0, 0);
    rows->addWidget(m_played, 0, 1, 1, 2);
    rows->addWidget(m_ending, 1, 1);
    rows->addWidget(m_seconds, 1, 2);
    rows->setColumnStretch(1, 1);
    connect(m_play, &QToolButton::clicked, &m_animation, &Animation::playOrStop);
    // At once, since the space key and the menu play it, too.
    connect(m_played, &QComboBox::currentIndexChanged, &m_animation, [this](int index) {
        if (index >= 0)
            m_animation.choose(static_cast<std::size_t>(index));
    });
    connect(m_ending, &QComboBox::currentIndexChanged, this, [this] {
        m_animation.setEnding(static_cast<Animation::Ending>(m_ending->currentData().toInt()));
    });
    connect(m_seconds, &QDoubleSpinBox::valueChanged, this,
            [this](double seconds) { m_animation.setDuration(seconds); });
    connect(&m_animation, &Animation::playingChanged, this,
            [this](bool isPlaying) { m_play->setIcon(icon(isPlaying ? "pause" : "play")); });
    return player;
}

void SteerPanel::showStudy()
{
    const auto &study = *m_model.study();
    if (m_parameters != study.parameters) // else they take long, and may be in use
        makeSliders();
    m_title->setText(QString::fromStdString(study.title));
    m_title->setToolTip(plainTip(m_title->text()));
    const auto beginning = initialSteering(study);
    for (std::size_t t = 0; t < m_sliders.size(); ++t) {
        m_sliders[t]->setDefault(beginning.parameters[t]);
        m_sliders[t]->setMarks(study.marks[t]);
    }
    showValues();
}

void SteerPanel::clear()
{
    m_tint->setSliders({});
    for (auto *slider : m_sliders)
        delete slider;
    m_sliders.clear();
    m_played->clear();
    m_parameters.reset();
    m_title->clear();
}

void SteerPanel::makeSliders()
{
    clear();
    const auto &study = *m_model.study();
    m_parameters = study.parameters;
    for (std::size_t t = 0; t < study.parameters.parameters().size(); ++t) {
        const auto &parameter = study.parameters[t];
        auto *slider =
            new ValueSlider(QString::fromStdString(parameter.name),
                            QString::fromStdString(parameter.unit), rangeOf(parameter), this);
        connect(slider, &ValueSlider::valueEdited, this, [this, slider, t](double value) {
            m_animation.stop();
            m_model.setParameter(t, value, slider->track()->isSliderDown());
        });
        connect(slider, &ValueSlider::editingFinished, this,
                [this, t](double value) { m_model.setParameter(t, value, false); });
        connect(slider, &ValueSlider::refused, this, &SteerPanel::refused);
        m_rows->addWidget(slider);
        m_sliders.push_back(slider);
        const auto name = QString::fromStdString(parameter.name);
        m_played->addItem(name);
        m_played->setItemData(m_played->count() - 1, plainTip(name), Qt::ToolTipRole);
        if (parameter.kind == ParameterKind::timeLike)
            m_played->setCurrentIndex(m_played->count() - 1);
    }
    m_tint->setSliders(m_sliders);
}

void SteerPanel::showValues()
{
    for (std::size_t t = 0; t < m_sliders.size(); ++t)
        m_sliders[t]->setValue(m_model.now().parameters[t]);
}

} // namespace gridhelm::ui
