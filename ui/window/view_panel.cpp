// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/view_panel.h"

#include "ui/controls/value_slider.h"
#include "ui/controls/value_track.h"
#include "ui/window/range_row.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include <array>

namespace gridhelm::ui {
namespace {

template <typename T>
void choose(QComboBox &box, T value)
{
    const QSignalBlocker quiet(&box);
    box.setCurrentIndex(box.findData(static_cast<int>(value)));
}

void check(QCheckBox &box, bool isOn)
{
    const QSignalBlocker quiet(&box);
    box.setChecked(isOn);
}

QComboBox *combo(const QString &name, const QString &tip,
                 const std::vector<std::pair<QString, int>> &entries, QWidget *parent)
{
    auto *box = new QComboBox(parent);
    box->setAccessibleName(name);
    box->setToolTip(tip);
    for (const auto &[text, value] : entries)
        box->addItem(text, value);
    return box;
}

} // namespace

ViewPanel::ViewPanel(SteeringModel &model, QWidget *parent)
    : QWidget(parent)
    , m_model(model)
    , m_form(new QFormLayout)
{
    m_form->setContentsMargins(0, 0, 0, 0);
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    makeFieldRows(*m_form);
    makeKindRows(*m_form);
    makeColourRows(*m_form);
    auto *layout = new QVBoxLayout(this);
    layout->addLayout(m_form);
    layout->addStretch(1);
    connect(&model, &SteeringModel::studyChanged, this, [this] {
        m_hasScene = false;
        makeFieldNames();
        showSteering();
    });
    connect(&model, &SteeringModel::changed, this, [this](const Steering &before) {
        if (!m_model.now().showsTheSame(before)) // parameters change for every frame of a drag
            showSteering();
    });
    setEnabled(false);
}

void ViewPanel::change(const QString &what, const std::function<void(Steering &)> &how,
                       bool isMoving)
{
    auto steering = m_model.now();
    how(steering);
    m_model.change(what, steering, isMoving);
}

void ViewPanel::makeFieldRows(QFormLayout &form)
{
    m_field = combo("Field", "The field that is shown", {}, this);
    m_shown = combo("Shown of the field",
                    "The field itself, or the indicator: the magnitude of what the finest level of "
                    "the grid adds to it, which tells where not to trust it",
                    {{"values", static_cast<int>(Shown::field)},
                     {"indicator", static_cast<int>(Shown::indicator)}},
                    this);
    m_component = combo("Component", "Which number of a vector is shown", {}, this);
    form.addRow("Field", m_field);
    form.addRow("Show", m_shown);
    form.addRow("Component", m_component);
    connect(m_field, &QComboBox::activated, this, [this](int index) {
        change("field", [&](Steering &steering) {
            steering.field = static_cast<data::FieldIndex>(index);
            steering.view.component = {};
            steering.view.levels.clear();
            if (steering.rangeMode == RangeMode::fixed)
                steering.rangeMode = RangeMode::frame; // it was another field's
        });
    });
    connect(m_shown, &QComboBox::activated, this, [this] {
        change("indicator", [&](Steering &steering) {
            steering.shown = static_cast<Shown>(m_shown->currentData().toInt());
            steering.view.levels.clear();
        });
    });
    connect(m_component, &QComboBox::activated, this, [this] {
        change("component", [&](Steering &steering) {
            steering.view.component.index = m_component->currentData().toInt();
            steering.view.levels.clear();
        });
    });
}

void ViewPanel::makeKindRows(QFormLayout &form)
{
    m_kind = combo("Kind of view", "Slice, contour or surface (keys 1, 2, 3)",
                   {{"slice", static_cast<int>(ViewKind::slice)},
                    {"contour", static_cast<int>(ViewKind::contour)},
                    {"surface", static_cast<int>(ViewKind::surface)}},
                   this);
    form.addRow("View", m_kind);
    connect(m_kind, &QComboBox::activated, this, [this] {
        change("view", [&](Steering &steering) {
            steering.view.kind = static_cast<ViewKind>(m_kind->currentData().toInt());
        });
    });

    m_normal = combo("Normal of the slice", "The slice lies across this axis",
                     {{"x", static_cast<int>(Axis::x)},
                      {"y", static_cast<int>(Axis::y)},
                      {"z", static_cast<int>(Axis::z)}},
                     this);
    form.addRow("Across", m_normal);
    connect(m_normal, &QComboBox::activated, this, [this] {
        change("slice", [&](Steering &steering) {
            steering.view.normal = static_cast<Axis>(m_normal->currentData().toInt());
            steering.view.position.reset();
        });
    });
    m_slice = new QWidget(this);
    m_sliceRow = new QVBoxLayout(m_slice);
    m_sliceRow->setContentsMargins(0, 0, 0, 0);
    form.addRow(m_slice);

    m_levelCount = new QSpinBox(this);
    m_levelCount->setRange(1, maxLevels);
    m_levelCount->setAccessibleName("Number of levels");
    m_levelCount->setToolTip("At most so many levels, at round values");
    form.addRow("Levels", m_levelCount);
    connect(m_levelCount, &QSpinBox::valueChanged, this, [this](int count) {
        change("levels", [&](Steering &steering) { steering.view.levelCount = count; });
    });
    m_oneLevel = new QCheckBox("one level, at:", this);
    m_oneLevel->setToolTip("A single level whose value a slider sets");
    form.addRow("", m_oneLevel);
    connect(m_oneLevel, &QCheckBox::toggled, this, [this](bool isOne) {
        change("levels", [&](Steering &steering) {
            steering.view.levels.clear();
            if (isOne)
                steering.view.levels = {0.5 * (m_used.low + m_used.high)};
        });
    });
    m_iso = new QWidget(this);
    m_isoRow = new QVBoxLayout(m_iso);
    m_isoRow->setContentsMargins(0, 0, 0, 0);
    form.addRow(m_iso);

    m_relief = new ValueSlider("Height", "", {0, 1, false}, this);
    m_relief->setDefault(ViewSettings().relief);
    m_relief->setToolTip("Of the relief, in parts of the mesh's longer side");
    m_opacity = new ValueSlider("Opacity", "", {0.05, 1, false}, this);
    m_opacity->setDefault(1);
    form.addRow(m_relief);
    form.addRow(m_opacity);
    const auto follow = [this](ValueSlider *slider, const QString &what, double ViewSettings::*of) {
        connect(slider, &ValueSlider::valueEdited, this, [=, this](double value) {
            change(
                what, [&](Steering &steering) { steering.view.*of = value; },
                slider->track()->isSliderDown());
        });
        connect(slider, &ValueSlider::editingFinished, this, [=, this](double value) {
            change(what, [&](Steering &steering) { steering.view.*of = value; });
        });
        connect(slider, &ValueSlider::refused, this, &ViewPanel::refused);
    };
    follow(m_relief, "height", &ViewSettings::relief);
    follow(m_opacity, "opacity", &ViewSettings::opacity);
}

void ViewPanel::makeColourRows(QFormLayout &form)
{
    m_colours = combo("Colours", "viridis and glow: evenly perceived; coolwarm: around a middle",
                      {{"viridis", static_cast<int>(ColourMap::viridis)},
                       {"glow", static_cast<int>(ColourMap::glow)},
                       {"coolwarm", static_cast<int>(ColourMap::coolWarm)},
                       {"grey", static_cast<int>(ColourMap::grey)}},
                      this);
    m_range = new RangeRow(this);
    m_logarithmic = new QCheckBox("logarithmic", this);
    m_edges = new QCheckBox("edges of the cells", this);
    m_outline = new QCheckBox("outline of the mesh", this);
    form.addRow("Colours", m_colours);
    form.addRow("Range", m_range);
    form.addRow("", m_logarithmic);
    form.addRow("Draw", m_edges);
    form.addRow("", m_outline);
    connect(m_colours, &QComboBox::activated, this, [this] {
        change("colours", [&](Steering &steering) {
            steering.view.colours = static_cast<ColourMap>(m_colours->currentData().toInt());
        });
    });
    connect(m_range, &RangeRow::modeChosen, this, [this](RangeMode mode) {
        change("range", [&](Steering &steering) {
            steering.rangeMode = mode;
            if (mode == RangeMode::fixed)
                steering.view.range = m_used;
        });
    });
    connect(m_range, &RangeRow::rangeEntered, this, [this](ValueRange range) {
        change("range", [&](Steering &steering) {
            steering.rangeMode = RangeMode::fixed;
            steering.view.range = range;
        });
    });
    connect(m_range, &RangeRow::refused, this, &ViewPanel::refused);
    connect(m_logarithmic, &QCheckBox::toggled, this, [this](bool isOn) {
        change("scale", [&](Steering &steering) {
            steering.view.scale = isOn ? Scale::logarithmic : Scale::linear;
            if (steering.rangeMode == RangeMode::fixed)
                steering.rangeMode = RangeMode::frame;
        });
    });
    connect(m_edges, &QCheckBox::toggled, this, [this](bool isOn) {
        change("edges", [&](Steering &steering) { steering.view.edges = isOn; });
    });
    connect(m_outline, &QCheckBox::toggled, this, [this](bool isOn) {
        change("outline", [&](Steering &steering) { steering.view.outline = isOn; });
    });
}

void ViewPanel::makeFieldNames()
{
    const QSignalBlocker quiet(m_field);
    m_field->clear();
    for (const auto &field : m_model.study()->fields)
        m_field->addItem(QString::fromStdString(field.name));
}

void ViewPanel::makeComponents()
{
    const int components = m_model.study()->fields.at(m_model.now().field).components;
    const QSignalBlocker quiet(m_component);
    m_component->clear();
    m_component->addItem("magnitude", Component::magnitude);
    for (int c = 0; c < components; ++c)
        m_component->addItem(components <= 3 ? QString("xyz").mid(c, 1) : QString::number(c), c);
    m_form->setRowVisible(m_component, components > 1);
}

void ViewPanel::showScene(const MeshShape &shape, const ValueRange &used)
{
    const bool isOther = !m_hasScene || shape.bounds != m_shape.bounds;
    if (!isOther && shape == m_shape && used == m_used)
        return;
    m_shape = shape;
    m_used = used;
    m_hasScene = true;
    if (isOther)
        makeSliceSlider();
    showSteering();
}

void ViewPanel::makeSliceSlider()
{
    delete m_position;
    m_position = nullptr;
    const auto axis = m_model.now().view.normal;
    if (m_shape.flat || !(m_shape.low(axis) < m_shape.high(axis)))
        return;
    m_position = new ValueSlider(QString("xyz").mid(static_cast<int>(axis), 1), "",
                                 {m_shape.low(axis), m_shape.high(axis), false}, m_slice);
    m_position->setDefault(0.5 * (m_shape.low(axis) + m_shape.high(axis)));
    m_sliceRow->addWidget(m_position);
    const auto move = [this](double value, bool isMoving) {
        change(
            "slice", [&](Steering &steering) { steering.view.position = value; }, isMoving);
    };
    connect(m_position, &ValueSlider::valueEdited, this,
            [this, move](double value) { move(value, m_position->track()->isSliderDown()); });
    connect(m_position, &ValueSlider::editingFinished, this,
            [move](double value) { move(value, false); });
    connect(m_position, &ValueSlider::refused, this, &ViewPanel::refused);
}

void ViewPanel::makeIsoSlider(const ValueRange &range)
{
    if (m_isoRange == range || (m_isoValue && m_isoValue->track()->isSliderDown()))
        return;
    delete m_isoValue;
    m_isoRange = range;
    m_isoValue = new ValueSlider("Value", "", {range.low, range.high, false}, m_iso);
    m_isoRow->addWidget(m_isoValue);
    const auto move = [this](double value, bool isMoving) {
        change(
            "levels", [&](Steering &steering) { steering.view.levels = {value}; }, isMoving);
    };
    connect(m_isoValue, &ValueSlider::valueEdited, this,
            [this, move](double value) { move(value, m_isoValue->track()->isSliderDown()); });
    connect(m_isoValue, &ValueSlider::editingFinished, this,
            [move](double value) { move(value, false); });
    connect(m_isoValue, &ValueSlider::refused, this, &ViewPanel::refused);
}

void ViewPanel::showSteering()
{
    if (!m_model.study())
        return;
    setEnabled(true);
    const auto &now = m_model.now();
    const auto &view = now.view;
    {
        const QSignalBlocker quiet(m_field);
        m_field->setCurrentIndex(static_cast<int>(now.field));
    }
    makeComponents();
    choose(*m_shown, now.shown);
    choose(*m_component, view.component.index);
    choose(*m_kind, view.kind);
    if (m_normal->currentData().toInt() != static_cast<int>(view.normal)) {
        choose(*m_normal, view.normal);
        makeSliceSlider();
    }
    choose(*m_colours, view.colours);
    check(*m_logarithmic, view.scale == Scale::logarithmic);
    check(*m_edges, view.edges);
    check(*m_outline, view.outline);
    check(*m_oneLevel, view.levels.size() == 1);
    {
        const QSignalBlocker quiet(m_levelCount);
        m_levelCount->setValue(view.levelCount);
    }
    m_relief->setValue(view.relief);
    m_opacity->setValue(view.opacity);
    m_range->show(now.rangeMode, m_used);
    showRows();
}

void ViewPanel::showRows()
{
    const auto &view = m_model.now().view;
    const bool isSlice = view.kind == ViewKind::slice && !m_shape.flat;
    const bool isContour = view.kind == ViewKind::contour;
    const bool isOne = view.levels.size() == 1;
    m_form->setRowVisible(m_normal, isSlice);
    m_form->setRowVisible(m_slice, isSlice);
    m_form->setRowVisible(m_levelCount, isContour && !isOne);
    m_form->setRowVisible(m_oneLevel, isContour);
    m_form->setRowVisible(m_iso, isContour && isOne);
    m_form->setRowVisible(m_relief, view.kind == ViewKind::surface && m_shape.flat);
    m_form->setRowVisible(m_opacity, isContour && !m_shape.flat);
    if (m_position)
        m_position->setValue(
            view.position.value_or(0.5 * (m_shape.low(view.normal) + m_shape.high(view.normal))));
    if (isContour && isOne) {
        makeIsoSlider(m_used);
        m_isoValue->setValue(view.levels.front());
    }
}

} // namespace gridhelm::ui
