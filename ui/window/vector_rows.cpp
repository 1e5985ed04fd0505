// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/vector_rows.h"

#include "ui/window/setting_slider.h"

#include <QComboBox>
#include <QFormLayout>
#include <QSignalBlocker>

#include <cmath>

namespace gridhelm::ui {
namespace {

// What a hand may want; the command line goes further.
constexpr SliderRange glyphRange{10, 5000, true}, scaleRange{0.2, 5, true},
    streamlineRange{1, maxStreamlines, true};

} // namespace

VectorRows::VectorRows(SteeringModel &model, QFormLayout &form, QWidget &parent)
    : QObject(&parent)
    , m_model(model)
    , m_form(form)
    , m_glyphs(new ValueSlider("Arrows", "", glyphRange, &parent))
    , m_scale(new ValueSlider("Length", "", scaleRange, &parent))
    , m_streamlines(new ValueSlider("Streamlines", "", streamlineRange, &parent))
    , m_seeds(new QComboBox(&parent))
{
    const ViewSettings usual;
    m_glyphs->setDefault(usual.glyphCount);
    m_scale->setDefault(usual.glyphScale);
    m_streamlines->setDefault(usual.streamlineCount);
    m_glyphs->setToolTip("About so many arrows, spread evenly");
    m_scale->setToolTip("Of the longest arrow, in distances between arrows");
    m_streamlines->setToolTip("About so many streamlines");
    m_seeds->setAccessibleName("Where streamlines pass");
    m_seeds->setToolTip("Through places that are spread evenly, or on a line through the middle");
    form.addRow(m_glyphs);
    form.addRow(m_scale);
    form.addRow(m_streamlines);
    form.addRow("Through", m_seeds);
    steerWith(*m_glyphs, model, "arrows", [](Steering &steering, double value) {
        steering.view.glyphCount = static_cast<int>(std::lround(value));
    });
    steerWith(*m_scale, model, "length of arrows",
              [](Steering &steering, double value) { steering.view.glyphScale = value; });
    steerWith(*m_streamlines, model, "streamlines", [](Steering &steering, double value) {
        steering.view.streamlineCount = static_cast<int>(std::lround(value));
    });
    for (auto *slider : {m_glyphs, m_scale, m_streamlines})
        connect(slider, &ValueSlider::refused, this, &VectorRows::refused);
    connect(m_seeds, &QComboBox::activated, this, [this] {
        steer(m_model, "streamlines", [this](Steering &steering) {
            steering.view.seeds = static_cast<Seeds>(m_seeds->currentData().toInt());
        });
    });
}

void VectorRows::makeSeeds(const MeshShape &shape)
{
    const QSignalBlocker quiet(m_seeds);
    m_seeds->clear();
    m_seeds->addItem("everywhere", static_cast<int>(Seeds::everywhere));
    for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
        if (!(shape.extent(axis) > 0))
            continue;
        const int number = static_cast<int>(axis);
        m_seeds->addItem("a line along " + QString("xyz").mid(number, 1),
                         static_cast<int>(Seeds::alongX) + number);
    }
    m_seeds->setCurrentIndex(m_seeds->findData(static_cast<int>(m_model.now().view.seeds)));
}

void VectorRows::show(const MeshShape &shape)
{
    const auto &view = m_model.now().view;
    const bool areGlyphs = view.kind == ViewKind::glyphs;
    const bool areLines = view.kind == ViewKind::streamlines;
    m_glyphs->setValue(view.glyphCount);
    m_scale->setValue(view.glyphScale);
    m_streamlines->setValue(view.streamlineCount);
    makeSeeds(shape);
    m_form.setRowVisible(m_glyphs, areGlyphs);
    m_form.setRowVisible(m_scale, areGlyphs);
    m_form.setRowVisible(m_streamlines, areLines);
    m_form.setRowVisible(m_seeds, areLines);
}

} // namespace gridhelm::ui
