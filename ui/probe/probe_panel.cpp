// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/probe/probe_panel.h"

#include "ui/controls/plain_text.h"
#include "ui/controls/theme.h"
#include "ui/probe/curves_page.h"
#include "ui/probe/line_page.h"
#include "ui/probe/map_page.h"
#include "ui/probe/place_row.h"
#include "ui/probe/probe_overlay.h"
#include "ui/probe/value_tree.h"
#include "ui/viewer/scene_widget.h"

#include <QBoxLayout>
#include <QLabel>
#include <QTabWidget>
#include <QToolButton>

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

namespace gridhelm::ui {
namespace {

constexpr auto loadingInterval = std::chrono::milliseconds(200);

/// A relief lifts what has a value above its mesh, a warp moves its points.
MeshPlace placeInPicture(const Scene &scene, const ProbedField &probed, double value)
{
    auto place = probed.entity.place;
    const auto moved = scene.warpOf(static_cast<std::size_t>(probed.entity.number));
    for (std::size_t t = 0; t < 3; ++t)
        place[t] += moved[t];
    place[static_cast<std::size_t>(scene.shape().normal)] += scene.heightOf(value);
    return place;
}

} // namespace

ProbePanel::ProbePanel(SteeringModel &model, std::shared_ptr<const sparse::Backend> backend,
                       SceneWidget *view, QWidget *parent)
    : QWidget(parent)
    , m_model(model)
    , m_view(view)
    , m_service(std::move(backend))
    , m_what(new PlainLabel(this))
    , m_placeRow(new PlaceRow(this))
    , m_values(new ValueTree(this))
    , m_problem(new PlainLabel(this))
    , m_pages(new QTabWidget(this))
    , m_curves(new CurvesPage(model, this))
    , m_line(new LinePage(this))
    , m_map(new MapPage(model, this))
    , m_sides(new QBoxLayout(QBoxLayout::TopToBottom, this))
{
    m_what->setWordWrap(true);
    m_problem->setWordWrap(true);
    m_problem->hide();
    auto *forget = new QToolButton(this);
    forget->setText("Clear");
    forget->setToolTip("Takes the mark and the line away");
    connect(forget, &QToolButton::clicked, this, [this] {
        setPlace(std::nullopt);
        setLine(std::nullopt);
    });
    auto *head = new QHBoxLayout;
    head->addWidget(m_what, 1);
    head->addWidget(forget);
    auto *place = new QVBoxLayout;
    place->addLayout(head);
    place->addWidget(m_placeRow);
    place->addWidget(m_values);
    place->addWidget(m_problem);
    place->addStretch(0);
    makePages();
    m_sides->addLayout(place, 0);
    m_sides->addWidget(m_pages, 1);

    if (m_view) {
        m_overlay = new ProbeOverlay(*m_view);
        connect(m_overlay, &ProbeOverlay::placePicked, this, &ProbePanel::pick);
        connect(m_overlay, &ProbeOverlay::linePicked, this, &ProbePanel::pickLine);
        connect(m_overlay, &ProbeOverlay::refused, this, &ProbePanel::refused);
        connect(m_line->drawButton(), &QToolButton::toggled, m_overlay,
                &ProbeOverlay::setTakesLines);
    }
    connect(m_placeRow, &PlaceRow::placeEntered, this, &ProbePanel::setPlace);
    connect(m_placeRow, &PlaceRow::refused, this, &ProbePanel::refused);
    connect(&model, &SteeringModel::studyChanged, this, &ProbePanel::studyChanged);
    connect(&model, &SteeringModel::changed, this, [this](const Steering &before) {
        const auto &now = m_model.now();
        if (now.view.colours != before.view.colours)
            m_map->show(m_answer);
        if (now.parameters != before.parameters || now.field != before.field
            || now.view.component != before.view.component)
            ask();
    });
    connect(&m_service, &ProbeService::answered, this, &ProbePanel::show);
    m_loading.setSingleShot(true);
    m_loading.setInterval(loadingInterval);
    connect(&m_loading, &QTimer::timeout, this, &ProbePanel::ask);
    clearStudy();
}

ProbePanel::~ProbePanel() = default;

void ProbePanel::makePages()
{
    m_pages->setDocumentMode(true);
    m_pages->addTab(m_curves, "Curves");
    m_pages->addTab(m_map, "Map");
    m_pages->addTab(m_line, "Line");
    m_pages->setTabToolTip(0, "The value here along each parameter");
    m_pages->setTabToolTip(1, "The value here, or a norm of the field, over two parameters");
    m_pages->setTabToolTip(2, "The shown field along a line through the mesh");
    connect(m_pages, &QTabWidget::currentChanged, this, &ProbePanel::ask);
    connect(m_map, &MapPage::parametersChosen, this, &ProbePanel::ask);
    connect(m_curves, &CurvesPage::moved, this, &ProbePanel::moved);
    connect(m_map, &MapPage::moved, this, &ProbePanel::moved);
    connect(m_curves, &CurvesPage::news, this, &ProbePanel::news);
    connect(m_map, &MapPage::news, this, &ProbePanel::news);
    connect(m_line, &LinePage::news, this, &ProbePanel::news);
    connect(m_curves, &CurvesPage::failed, this, &ProbePanel::failed);
    connect(m_map, &MapPage::failed, this, &ProbePanel::failed);
    connect(m_line, &LinePage::failed, this, &ProbePanel::failed);
}

void ProbePanel::studyChanged()
{
    const auto before = std::exchange(m_study, m_model.study());
    const bool isSameMesh = before && before->path == m_study->path
                            && (before->mesh == m_study->mesh || *before->mesh == *m_study->mesh);
    if (!isSameMesh) {
        m_place.reset();
        m_lineOf.reset();
        m_frame.reset();
        m_service.forget(); // it keeps a study to answer about the same place again
        m_hasBeenOpened = m_isActive;
        m_hasShape = false;
    }
    const bool isSameSpace =
        before && before->path == m_study->path && before->parameters == m_study->parameters
        && before->marks == m_study->marks && before->fields == m_study->fields;
    m_answer.reset();
    if (!isSameSpace) {
        m_values->setFields(m_study->fields);
        m_curves->setStudy();
        m_map->setStudy();
    }
    setEnabled(true);
    showAnswer();
    ask();
}

void ProbePanel::setBackend(std::shared_ptr<const sparse::Backend> backend)
{
    m_service.setBackend(std::move(backend));
}

void ProbePanel::clearStudy()
{
    m_service.forget();
    m_loading.stop();
    m_study.reset();
    m_frame.reset();
    m_answer.reset();
    m_place.reset();
    m_lineOf.reset();
    m_lastNumber = 0;
    showAnswer();
    setEnabled(false);
}

void ProbePanel::setFrame(std::shared_ptr<const FieldFrame> frame)
{
    if (!m_study || !frame || frame->study != m_study)
        return;
    const bool isOther = frame != m_frame;
    m_frame = std::move(frame);
    if (m_view && !std::exchange(m_hasShape, true)) {
        m_placeRow->setShape(std::as_const(*m_view).scene().shape(), m_study->axes);
        showAnswer();
    }
    // A map that is on its way may be without values: it was asked for before this frame was there.
    const bool hasMap = isSettled() && m_answer->map;
    if (isOther && (m_lineOf || (wantsNorm() && !hasMap)))
        ask();
    showMark();
}

void ProbePanel::setActive(bool isActive)
{
    m_isActive = isActive;
    m_hasBeenOpened = m_hasBeenOpened || isActive;
    ask();
}

void ProbePanel::pick(const MeshPlace &place)
{
    if (!m_study || (m_taker.point && m_taker.point(place)))
        return;
    setPlace(place);
    openIfWanted();
}

void ProbePanel::pickLine(const ProbeLine &line)
{
    if (!m_study || (m_taker.line && m_taker.line(line)))
        return;
    setLine(line);
    m_pages->setCurrentWidget(m_line);
    emit wanted();
}

/// The first pick opens the panel. Who closes it afterwards, wants to click without it.
void ProbePanel::openIfWanted()
{
    if (!m_hasBeenOpened || (isVisible() && !m_isActive))
        emit wanted();
}

void ProbePanel::setPlace(std::optional<MeshPlace> place)
{
    if (!m_study)
        return;
    m_place = place;
    if (!place) {
        m_answer.reset();
        showAnswer();
    }
    ask();
}

void ProbePanel::setLine(std::optional<ProbeLine> line)
{
    m_lineOf = line;
    if (m_overlay)
        m_overlay->setLine(isVisible() ? line : std::nullopt);
    if (!line)
        m_line->show(nullptr);
    ask();
}

/// Which needs no place, but all coefficients of the field that is shown.
bool ProbePanel::wantsNorm() const
{
    return m_pages->currentWidget() == m_map && m_map->mapOf() == MapOf::norm;
}

void ProbePanel::ask()
{
    if (!m_study || !m_isActive || (!m_place && !m_lineOf && !wantsNorm()))
        return;
    const auto &now = m_model.now();
    ProbeQuestion question;
    question.study = m_study;
    question.parameters = now.parameters;
    question.field = now.field;
    question.component = now.view.component;
    question.place = m_place;
    if (m_pages->currentWidget() == m_map)
        question.map = m_map->parameters();
    question.mapOf = m_map->mapOf();
    question.line = m_lineOf;
    question.frame = m_frame;
    m_lastNumber = m_service.ask(std::move(question));
}

void ProbePanel::show(std::shared_ptr<const ProbeAnswer> answer)
{
    const auto &question = answer->question;
    if (!m_study || question.study != m_study || question.place != m_place
        || question.line != m_lineOf)
        return; // of a place that nobody looks at any more
    m_answer = std::move(answer);
    const auto &frame = m_answer->question.frame;
    if (wantsNorm() && !m_answer->map && frame && frame->coefficients)
        m_loading.start(); // not all of them are in memory yet
    else
        m_loading.stop();
    showAnswer();
}

bool ProbePanel::isSettled() const
{
    return m_answer && m_answer->question.number == m_lastNumber && m_answer->problem.isEmpty()
           && std::ranges::all_of(m_answer->fields,
                                  [](const auto &field) { return field.has_value(); });
}

void ProbePanel::showAnswer()
{
    m_problem->setVisible(m_answer && !m_answer->problem.isEmpty());
    if (m_problem->isVisibleTo(this)) {
        auto colours = m_problem->palette();
        colours.setColor(QPalette::WindowText, errorColour(palette()));
        m_problem->setPalette(colours);
        m_problem->setText(m_answer->problem);
    }
    const bool hasPlace = m_answer && m_place && !m_answer->fields.empty();
    if (hasPlace) {
        const auto &question = m_answer->question;
        const auto &probed = m_answer->fields.at(question.field);
        const bool isPoint =
            question.study->fields.at(question.field).association == data::Association::point;
        m_what->setText(QString(isPoint ? "Point %1, at" : "Cell %1, its centre at")
                            .arg(probed->entity.number));
        m_placeRow->show(probed->entity.place);
        m_values->show(*m_answer);
    } else if (!m_place) {
        m_what->setText("Click a point of the view, or type a position");
        m_placeRow->show(std::nullopt);
        m_values->clearValues();
    }
    m_curves->show(hasPlace ? m_answer : nullptr);
    m_map->show(m_answer);
    m_line->show(m_lineOf ? m_answer : nullptr);
    showMark();
}

QString ProbePanel::head() const
{
    return m_what->text();
}

void ProbePanel::showMark()
{
    if (!m_overlay)
        return;
    const bool isSeen = isVisible() && m_study;
    m_overlay->setLine(isSeen ? m_lineOf : std::nullopt);
    const bool hasPlace = isSeen && m_place && m_answer && !m_answer->fields.empty();
    if (!hasPlace) {
        m_overlay->setMark(std::nullopt);
        return;
    }
    const auto &probed = m_answer->fields.at(m_answer->question.field);
    const auto &scene = std::as_const(*m_view).scene();
    // A relief is smooth: where a corner of a cell is, depends on its neighbours.
    const bool isRaised = scene.heightOf(scene.range().high) != 0;
    m_overlay->setMark(placeInPicture(scene, *probed, static_cast<double>(m_answer->value)),
                       isRaised ? std::vector<data::MeshEdge>() : m_answer->cellEdges);
}

void ProbePanel::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    showMark();
}

void ProbePanel::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    showMark();
}

/// Where it is wide and low, as in a dock at the bottom, the plots are beside the values.
void ProbePanel::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    m_sides->setDirection(width() > 2 * height() ? QBoxLayout::LeftToRight
                                                 : QBoxLayout::TopToBottom);
}

} // namespace gridhelm::ui
