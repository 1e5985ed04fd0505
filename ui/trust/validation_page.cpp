// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trust/validation_page.h"

#include "core/answers/uncertainty.h"
#include "data/answers/default_responses.h"
#include "data/mesh/place_samples.h"
#include "data/study/study_errors.h"
#include "ui/answers/answer_text.h"
#include "ui/answers/histogram_plot.h"
#include "ui/controls/plain_text.h"
#include "ui/plot/scatter_plot.h"
#include "ui/trust/error_model.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace gridhelm::ui {
namespace {

constexpr int ofField = -1; ///< instead of a response's number
constexpr int actual = -1;  ///< instead of a parameter's
constexpr std::size_t bars = 15;

struct Validated
{
    std::vector<data::StudyResponse> responses;
    std::vector<data::ResponseValidation> validations;
};

Validated validate(const std::filesystem::path &path, const ExecutionContext &context,
                   const std::stop_token &stop)
{
    return data::againIfChanged([&] {
        const auto study = data::Study::open(path);
        const auto samples = data::samplesOf(study);
        auto responses = data::answerableResponses(study, data::responsesOf(study), samples,
                                                   context, {stop, {}});
        auto validations = data::validationsOf(study, responses, samples, context, stop);
        return Validated{std::move(responses), std::move(validations)};
    });
}

/// Keeps what is chosen where it is still there.
void choose(QComboBox &box, const QString &wanted)
{
    box.setCurrentIndex(std::max(0, box.findText(wanted)));
    box.setEnabled(box.count() > 1);
}

} // namespace

ValidationPage::ValidationPage(const ExecutionContext &context, QWidget *parent)
    : QWidget(parent)
    , m_context(context)
    , m_quantity(new QComboBox(this))
    , m_over(new QComboBox(this))
    , m_plot(new ScatterPlot("validation", this))
    , m_histogram(new HistogramPlot("residuals", this))
    , m_text(new PlainLabel(this))
{
    m_quantity->setAccessibleName("Errors of");
    m_quantity->setToolTip("A response, or the whole field");
    m_over->setAccessibleName("Over");
    m_over->setToolTip("What the plot's axis is: the value that the run has, or a parameter");
    m_plot->setAccessibleName("Predicted over actual");
    m_plot->setToolTip("A dot for each run. A click on one, or the arrow keys, moves the sliders "
                       "there, as a step that Undo takes back");
    m_plot->setFocusPolicy(Qt::StrongFocus);
    m_histogram->setAccessibleName("Histogram of the residuals");
    m_histogram->setToolTip("How often a prediction is how far off");
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto *row = new QHBoxLayout;
    row->addWidget(m_quantity, 1);
    row->addWidget(new QLabel("over", this));
    row->addWidget(m_over, 1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 6, 0, 0);
    layout->addLayout(row);
    layout->addWidget(m_text);
    layout->addWidget(m_plot, 3);
    layout->addWidget(m_histogram, 1);
    connect(m_quantity, &QComboBox::activated, this, [this] {
        m_isChosen = true;
        listAxes();
        draw();
    });
    connect(m_over, &QComboBox::activated, this, [this] {
        m_isChosen = true;
        draw();
    });
    connect(m_plot, &ScatterPlot::picked, this,
            [this](std::size_t dot) { emit placeChosen(m_places.at(dot)); });
    connect(m_plot, &ScatterPlot::news, this, &ValidationPage::news);
    connect(m_plot, &ScatterPlot::failed, this, &ValidationPage::failed);
    connect(m_histogram, &HistogramPlot::news, this, &ValidationPage::news);
    connect(m_histogram, &HistogramPlot::failed, this, &ValidationPage::failed);
    connect(&m_reading, &BackgroundAnswer::failed, this, [this](const QString &sentence) {
        m_problem = sentence;
        listQuantities();
    });
    listQuantities();
}

QString ValidationPage::text() const
{
    return m_text->text();
}

void ValidationPage::setStudy(std::shared_ptr<const StudyFacts> study, data::FieldIndex field)
{
    const bool isOther = study != m_study;
    if (!isOther && field == m_field)
        return;
    const bool isSameFile = study && m_study && study->path == m_study->path;
    m_study = std::move(study);
    m_field = field;
    if (isOther) {
        m_reading.cancel();
        m_isStale = m_study != nullptr;
        if (!isSameFile) {
            m_responses.clear();
            m_validations.clear();
        }
    }
    listQuantities();
    if (isVisible())
        readAgain();
}

void ValidationPage::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    readAgain();
}

void ValidationPage::readAgain()
{
    if (!std::exchange(m_isStale, false))
        return;
    m_problem.clear();
    m_reading.start([this, path = m_study->path, context = m_context](const std::stop_token &stop) {
        auto found = validate(path, context, stop);
        return [this, found = std::move(found)]() mutable {
            m_responses = std::move(found.responses);
            m_validations = std::move(found.validations);
            listQuantities();
        };
    });
    draw();
}

void ValidationPage::listQuantities()
{
    const QSignalBlocker quiet(m_quantity);
    const auto before = m_quantity->currentText();
    m_quantity->clear();
    for (std::size_t k = 0; k < m_responses.size(); ++k)
        m_quantity->addItem(cleanLine(QString::fromStdString(m_responses[k].definition.name)),
                            static_cast<int>(k));
    if (m_study)
        m_quantity->addItem(
            "field " + cleanLine(QString::fromStdString(m_study->fields.at(m_field).name)),
            ofField);
    choose(*m_quantity, m_isChosen ? before : QString());
    listAxes();
    draw();
}

void ValidationPage::listAxes()
{
    const QSignalBlocker quiet(m_over);
    const auto before = m_isChosen ? m_over->currentText() : QString();
    m_over->clear();
    if (m_quantity->count() > 0 && m_quantity->currentData().toInt() != ofField)
        m_over->addItem("actual value", actual);
    for (std::size_t t = 0; m_study && t < m_study->parameters.parameters().size(); ++t)
        m_over->addItem(cleanLine(QString::fromStdString(m_study->parameters[t].name)),
                        static_cast<int>(t));
    choose(*m_over, before);
}

std::optional<std::size_t> ValidationPage::parameter() const
{
    const int chosen = m_over->currentData().toInt();
    return chosen == actual ? std::nullopt : std::optional(static_cast<std::size_t>(chosen));
}

QString ValidationPage::parameterAxis(std::size_t parameter) const
{
    const auto &of = m_study->parameters[parameter];
    return axisText(of.name, of.unit);
}

void ValidationPage::draw()
{
    m_places.clear();
    m_plot->clear();
    m_histogram->hide();
    if (m_quantity->count() == 0 || m_over->count() == 0) {
        m_text->setText(m_problem);
        return;
    }
    const int chosen = m_quantity->currentData().toInt();
    if (chosen == ofField)
        drawField();
    else
        drawResponse(m_responses[static_cast<std::size_t>(chosen)],
                     m_validations[static_cast<std::size_t>(chosen)]);
    if (m_reading.isRunning())
        m_text->setText("Reading the runs…");
    m_plot->setVisible(!m_places.empty());
}

void ValidationPage::drawResponse(const data::StudyResponse &response,
                                  const data::ResponseValidation &validation)
{
    const auto &unit = response.definition.unit;
    if (!validation.whyNone.empty()) {
        m_text->setText(QString::fromStdString(validation.whyNone) + ".");
        return;
    }
    const auto over = parameter();
    std::vector<ScatterPlot::Dot> dots;
    std::vector<double> residuals;
    for (const auto &run : validation.runs) {
        const double residual = run.predicted - run.actual;
        residuals.push_back(residual);
        dots.push_back(over ? ScatterPlot::Dot{run.parameters.at(*over), residual}
                            : ScatterPlot::Dot{run.actual, run.predicted});
        m_places.push_back(run.parameters);
    }
    const auto off = axisText("predicted - actual", unit);
    m_plot->show(std::move(dots), over ? parameterAxis(*over) : axisText("actual", unit),
                 over ? off : axisText("predicted", unit),
                 over ? ScatterPlot::Line::zero : ScatterPlot::Line::diagonal);
    if (residuals.size() > 1) {
        m_histogram->show(answers::spreadOf(std::move(residuals), {}, std::nullopt, bars), off, {},
                          std::nullopt);
        m_histogram->setVisible(true);
    }
    auto text =
        QString("Root mean square error %1 at %2 %3")
            .arg(valueText(validation.rootMeanSquare(), unit, data::StudyResponse::errorDigits))
            .arg(validation.runs.size())
            .arg(validation.isLeftOut ? "runs, each predicted without itself"
                                      : "validation points");
    if (const auto r2 = validation.r2())
        text += QString("; R² %1").arg(*r2, 0, 'g', 4);
    m_text->setText(text + ".");
}

void ValidationPage::drawField()
{
    const auto over = parameter().value_or(0);
    const auto shown = [&](data::ErrorKind kind) {
        return std::ranges::any_of(m_study->errors, [&](const auto &figure) {
            return figure.field == m_field && figure.kind == kind;
        });
    };
    const auto kind =
        shown(data::ErrorKind::heldOut) ? data::ErrorKind::heldOut : data::ErrorKind::leaveOneOut;
    std::vector<ScatterPlot::Dot> dots;
    for (const auto &figure : m_study->errors) {
        if (figure.field != m_field || figure.kind != kind)
            continue;
        dots.push_back({figure.parameters.at(over), 100 * figure.relativeL2});
        m_places.push_back(figure.parameters);
    }
    if (m_places.empty()) {
        m_text->setText("No errors of this field have been measured yet; to know: "
                        + remedyText(m_study->outlook) + ".");
        return;
    }
    m_plot->show(std::move(dots), parameterAxis(over), "relative L2 error, %",
                 ScatterPlot::Line::zero);
    m_text->setText(QString("Relative L2 errors, measured by %1.").arg(errorKindText(kind)));
}

} // namespace gridhelm::ui
