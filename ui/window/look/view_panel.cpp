// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/look/view_panel.h"

#include "ui/controls/number_text.h"
#include "ui/scene/colour/value_axis.h"
#include "ui/scene/pictures/picture_kind.h"
#include "ui/window/look/colour_row.h"
#include "ui/window/look/level_rows.h"
#include "ui/window/look/low_confidence_rows.h"
#include "ui/window/look/picture_option_rows.h"
#include "ui/window/look/range_row.h"
#include "ui/window/look/setting_slider.h"
#include "ui/window/look/slice_rows.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <string>

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

void ViewPanel::change(const QString &what, const std::function<void(Steering &)> &how)
{
    steer(m_model, what, how);
}

void ViewPanel::makeFieldRows(QFormLayout &form)
{
    m_field = combo("Field", "The field that is shown", {}, this);
    m_shown = combo("Shown of the field",
                    "The field itself, or the indicator: the magnitude of what the finest "
                    "complete level of the grid adds to it, which tells where not to trust it",
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
            const auto &chosen = m_model.study()->fields.at(steering.field);
            if (!unavailableReason(steering.view.kind, m_shape.flat, chosen).empty())
                steering.view.kind = ViewKind::slice;
            std::string unsaid;
            steering.view = withPossibleOptions(steering.view, m_shape.flat, chosen, unsaid);
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
    auto names = QString::fromStdString(namesOfKinds());
    names[0] = names[0].toUpper();
    m_kind = combo("Kind of view",
                   QString("%1 (keys 1 to %2): those that go with the mesh and the field")
                       .arg(names)
                       .arg(pictureKinds.size()),
                   {}, this);
    form.addRow("View", m_kind);
    connect(m_kind, &QComboBox::activated, this, [this] {
        change("view", [&](Steering &steering) {
            steering.view.kind = static_cast<ViewKind>(m_kind->currentData().toInt());
        });
    });

    m_levels = new LevelRows(m_model, form, *this);
    m_options = new PictureOptionRows(m_model, form, *this);
    m_slice = new SliceRows(m_model, form, *this); // under the option whether a plane clips
    connect(m_slice, &SliceRows::refused, this, &ViewPanel::refused);
    connect(m_levels, &LevelRows::refused, this, &ViewPanel::refused);
    connect(m_options, &PictureOptionRows::refused, this, &ViewPanel::refused);
}

void ViewPanel::makeColourRows(QFormLayout &form)
{
    m_colours = new ColourRow(this);
    m_isInverted = new QCheckBox("inverted", this);
    m_isInverted->setToolTip("The colours from their other end");
    m_bands = new QSpinBox(this);
    m_bands->setRange(1, ColourScheme::maxBands);
    m_bands->setSpecialValueText("smooth");
    m_bands->setSuffix(" bands");
    m_bands->setAccessibleName("Bands of colours");
    m_bands->setToolTip("So many bands of one colour each; smooth: without steps");
    auto *beside = new QHBoxLayout;
    beside->addWidget(m_isInverted);
    beside->addWidget(m_bands);
    beside->addStretch(1);
    m_range = new RangeRow(this);
    m_logarithmic = new QCheckBox("logarithmic", this);
    m_logarithmic->setToolTip("Equal ratios of values are equally far apart in the colours: for "
                              "ranges above 0");
    m_edges = new QCheckBox("edges of the cells", this);
    m_edges->setToolTip("Draws the edges of the mesh's cells, too");
    m_outline = new QCheckBox("outline of the mesh", this);
    m_outline->setToolTip("Draws the border of the mesh");
    form.addRow("Colours", m_colours);
    form.addRow("", beside);
    form.addRow("Range", m_range);
    form.addRow("", m_logarithmic);
    form.addRow("Draw", m_edges);
    form.addRow("", m_outline);
    m_lowConfidence = new LowConfidenceRows(m_model, form, *this);
    connect(m_lowConfidence, &LowConfidenceRows::refused, this, &ViewPanel::refused);
    connect(m_colours, &ColourRow::refused, this, &ViewPanel::refused);
    connect(m_colours, &ColourRow::chosen, this, [this](const ColourScheme &map) {
        change("colours", [&](Steering &steering) {
            steering.view.colours.map = map.map;
            steering.view.colours.custom = map.custom;
        });
    });
    connect(m_isInverted, &QCheckBox::clicked, this, [this](bool isInverted) {
        change("colours",
               [&](Steering &steering) { steering.view.colours.isInverted = isInverted; });
    });
    connect(m_bands, &QSpinBox::valueChanged, this, [this](int bands) {
        change("bands of colours",
               [&](Steering &steering) { steering.view.colours.bands = bands > 1 ? bands : 0; });
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
    connect(m_range, &RangeRow::fitWanted, this, [this] {
        change("range", [&](Steering &steering) {
            if (!m_values)
                return;
            steering.rangeMode = RangeMode::fixed;
            steering.view.range = roundedOutward(*m_values, steering.view.scale);
        });
    });
    connect(m_range, &RangeRow::refused, this, &ViewPanel::refused);
    connect(m_logarithmic, &QCheckBox::toggled, this, &ViewPanel::setLogarithmic);
    connect(m_edges, &QCheckBox::toggled, this, [this](bool isOn) {
        change("edges", [&](Steering &steering) { steering.view.edges = isOn; });
    });
    connect(m_outline, &QCheckBox::toggled, this, [this](bool isOn) {
        change("outline", [&](Steering &steering) { steering.view.outline = isOn; });
    });
}

void ViewPanel::setLogarithmic(bool isOn)
{
    const auto &now = m_model.now();
    const auto range = now.view.range.value_or(m_used);
    const bool isImpossible = isOn && now.rangeMode == RangeMode::fixed && range.low <= 0;
    change("scale", [&](Steering &steering) {
        steering.view.scale = isOn ? Scale::logarithmic : Scale::linear;
        if (isImpossible)
            steering.rangeMode = RangeMode::frame;
    });
    if (isImpossible)
        emit refused("A logarithmic scale cannot begin at " + numberText(range.low)
                     + ": the colours reach over this frame's values above 0 now. Type another "
                       "range to fix it again");
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

void ViewPanel::showScene(const MeshShape &shape, const ValueRange &used,
                          const std::optional<ValueRange> &values)
{
    m_values = values;
    if (m_hasScene && shape == m_shape && used == m_used)
        return;
    m_hasScene = true;
    m_shape = shape;
    m_used = used;
    showSteering();
}

void ViewPanel::makeKinds()
{
    const auto &now = m_model.now();
    const auto &field = m_model.study()->fields.at(now.field);
    const QSignalBlocker quiet(m_kind);
    m_kind->clear();
    for (const ViewKind kind : allViewKinds) {
        if (kind == now.view.kind || unavailableReason(kind, m_shape.flat, field).empty())
            m_kind->addItem(QString::fromUtf8(kindOf(kind).name), static_cast<int>(kind));
    }
    choose(*m_kind, now.view.kind);
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
    makeKinds();
    m_slice->show(m_shape);
    m_levels->show(m_used);
    m_options->show(m_shape, m_model.study()->fields.at(now.field));
    m_lowConfidence->show(m_shape);
    m_colours->show(view.colours);
    m_isInverted->setChecked(view.colours.isInverted);
    {
        const QSignalBlocker quiet(m_bands);
        m_bands->setValue(std::max(view.colours.bands, 1));
    }
    check(*m_logarithmic, view.scale == Scale::logarithmic);
    check(*m_edges, view.edges);
    check(*m_outline, view.outline);
    m_range->show(now.rangeMode, m_used, view.scale);
}

} // namespace gridhelm::ui
