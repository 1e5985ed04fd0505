// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/campaign/compress_box.h"

#include "core/sparse/boundary_treatment.h"
#include "data/evaluate/hold_out_places.h"
#include "ui/campaign/added_error_box.h"
#include "ui/campaign/study_forecast.h"
#include "ui/controls/theme.h"
#include "ui/controls/toned_label.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>

#include <algorithm>
#include <limits>

namespace gridhelm::ui {
namespace {

enum Choice { asItIs, byError, sparseGrid, byModes, kriging }; // in the order of the box

/// Of any parameter's functions.
int highestDegree(const ParameterSpace &space)
{
    int highest = 1;
    for (const auto &parameter : space.parameters())
        highest = std::max(highest, sparse::highestDegreeOf(parameter.usedTreatment()));
    return highest;
}

} // namespace

CompressBox::CompressBox(QWidget *parent)
    : QWidget(parent)
{
    m_compress = new QPushButton("Compress", this);
    m_compress->setObjectName("compress");
    m_compress->setToolTip(
        "Turn snapshots into hierarchical surpluses (coefficients), and measure the error");
    m_holdOuts = new QSpinBox(this);
    m_holdOuts->setObjectName("holdOuts");
    m_holdOuts->setRange(0, 100'000);
    m_holdOuts->setValue(static_cast<int>(data::sensibleHoldOuts(0)));
    m_holdOuts->setSuffix(" validation points");
    m_holdOuts->setAccessibleName("Validation points");
    m_holdOuts->setSpecialValueText("no validation points");
    m_holdOuts->setToolTip(
        "Simulations at random parameters off the grid, which the error is measured with: those "
        "that are missing are run, two corners and two faces of the ranges among them; 0 runs "
        "none. 23 are enough for a 95 % error bound of the fields, 12 for a 90 % one");
    m_measuring = new TonedLabel(quietTextColour, this);
    m_measuring->setObjectName("holdOutForecast");
    m_allowMissing = new QCheckBox("Allow missing", this);
    m_allowMissing->setObjectName("allowMissing");
    m_allowMissing->setToolTip(
        "Go on where snapshots are missing, as if their coefficients were 0");
    m_raw = new QCheckBox("Raw", this);
    m_raw->setObjectName("raw");
    m_raw->setToolTip("Store coefficients without zstd: faster, larger");
    m_compact = new QPushButton("Compact file", this);
    m_compact->setObjectName("compact");
    m_compact->setToolTip("Give unused space in the study's file back to the disk, and store POD "
                          "modes one after the other; nothing that it holds is changed. Twice as "
                          "much as is in use has to be free for a moment");
    makeSurrogates();
    m_addedError = new AddedErrorBox(this);
    auto *layout = new QGridLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_compress, 0, 0);
    layout->addWidget(m_holdOuts, 0, 1);
    layout->addWidget(m_measuring, 1, 0, 1, 2);
    layout->addWidget(m_surrogate, 2, 0);
    layout->addWidget(m_degree, 2, 1);
    layout->addWidget(m_addedError, 3, 0, 1, 2);
    layout->addWidget(m_reasons, 4, 0, 1, 2);
    layout->addWidget(m_raw, 5, 0);
    layout->addWidget(m_allowMissing, 5, 1);
    layout->addWidget(m_compact, 6, 0);
    connect(m_holdOuts, &QSpinBox::valueChanged, this, &CompressBox::followHoldOuts);
    connect(m_compress, &QPushButton::clicked, this, [this] { emit wanted(step()); });
    connect(m_compact, &QPushButton::clicked, this, &CompressBox::compactWanted);
    follow();
}

void CompressBox::makeSurrogates()
{
    m_surrogate = new QComboBox(this);
    m_surrogate->setObjectName("surrogate");
    m_surrogate->addItems({"Surrogate as it is", "Choose by error", "Sparse grid",
                           "Sparse grid, POD modes", "Kriging"});
    m_surrogate->setAccessibleName("Surrogate");
    m_surrogate->setToolTip(
        "What all fields are evaluated by. Choose by error: for each field the surrogate with the "
        "smaller error at the finest runs when these are left out (unless validation points "
        "contradict), now and when there are new runs, with the degree that is chosen in the same "
        "way unless it is given. Sparse grid: its hierarchical surpluses, or a few POD modes of "
        "them, which are faster and smaller. Kriging of POD modes, for which failed runs are no "
        "obstacle. Nothing is run again. Sparse grid goes back from kriging and from POD modes");
    m_reasons = new TonedLabel(quietTextColour, this);
    m_reasons->setObjectName("surrogates");
    m_reasons->setAccessibleName("Surrogates of the fields");
    m_reasons->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_degree = new QComboBox(this);
    m_degree->setObjectName("degree");
    m_degree->addItems({"Degree as it is", "Degree 1", "Degree 2", "Degree 3"});
    m_degree->setAccessibleName("Degree");
    m_degree->setToolTip("Of the polynomials between the points of the grid. Snapshots are "
                         "compressed again, nothing is run again");
    for (auto *box : {m_surrogate, m_degree}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setFocusPolicy(Qt::StrongFocus);
    }
}

void CompressBox::setState(const StudyStatePtr &state)
{
    const bool isOther = !m_state || !state || m_state->path != state->path;
    m_state = state;
    if (isOther) {
        suggestHoldOuts();
        m_surrogate->setCurrentIndex(asItIs);
        m_degree->setCurrentIndex(0);
        m_addedError->reset();
    }
    follow();
}

void CompressBox::setBusy(bool busy)
{
    m_isBusy = busy;
    follow();
}

void CompressBox::setJobsAtATime(int jobs)
{
    m_jobsAtATime = jobs;
    followHoldOuts();
}

void CompressBox::follow()
{
    const bool isAble = m_state && !m_isBusy;
    m_compress->setEnabled(isAble && m_state->hasResults());
    m_compact->setEnabled(isAble);
    m_surrogate->setEnabled(isAble && m_state->description.kind == data::StudyKind::vector);
    m_addedError->setEnabled(m_surrogate->isEnabled());
    m_degree->setEnabled(isAble && highestDegree(m_state->description.space) > 1);
    QStringList reasons;
    if (m_state)
        for (const auto &sentence : m_state->surrogates)
            reasons << QString::fromStdString(sentence);
    m_reasons->setText(reasons.join('\n'));
    m_reasons->setVisible(!reasons.isEmpty());
    followHoldOuts();
}

/// Unless somebody has chosen another number.
void CompressBox::suggestHoldOuts()
{
    const auto isSuggested = [this](std::size_t runs) {
        return m_holdOuts->value() == static_cast<int>(data::sensibleHoldOuts(runs));
    };
    if (m_state && (isSuggested(0) || isSuggested(std::numeric_limits<std::size_t>::max())))
        m_holdOuts->setValue(m_state->outlook.hasSimulation
                                 ? static_cast<int>(data::sensibleHoldOuts(m_state->allJobs()))
                                 : 0);
}

void CompressBox::followHoldOuts()
{
    m_measuring->setText(m_state && m_state->hasResults() ? holdOutForecast(
                             *m_state, static_cast<std::size_t>(m_holdOuts->value()), m_jobsAtATime)
                                                          : QString());
    m_measuring->setVisible(!m_measuring->text().isEmpty());
}

data::CompressStep CompressBox::step() const
{
    data::CompressStep step;
    step.allowMissing = m_allowMissing->isChecked();
    step.raw = m_raw->isChecked();
    step.holdOuts = static_cast<std::size_t>(m_holdOuts->value());
    step.context = ExecutionContext(CpuDevice{m_jobsAtATime});
    const auto choice = m_surrogate->isEnabled() ? m_surrogate->currentIndex() : int{asItIs};
    if (choice == kriging)
        step.surrogate = data::SurrogateStep{data::SurrogateKind::kriging, {}};
    else if (choice == byError)
        step.surrogate = data::SurrogateStep{data::SurrogateKind::chosen, {}};
    else if (choice != asItIs)
        step.surrogate = data::SurrogateStep{data::SurrogateKind::sparseGrid, {}};
    if (m_addedError->isEnabled())
        step.error = m_addedError->step();
    if (choice == byModes)
        step.modes.emplace();
    else if (choice == sparseGrid && !(step.error && step.error->isAny())) // of which modes may be
        step.modes = data::ModesStep{std::nullopt, true};
    if (m_degree->isEnabled() && m_degree->currentIndex() > 0)
        step.degrees = {m_degree->currentIndex()};
    return step;
}

void CompressBox::saveState(QSettings &settings) const
{
    settings.setValue("holdOuts", m_holdOuts->value());
    settings.setValue("allowMissing", m_allowMissing->isChecked());
    settings.setValue("raw", m_raw->isChecked());
}

void CompressBox::restoreState(QSettings &settings)
{
    m_holdOuts->setValue(settings.value("holdOuts", m_holdOuts->value()).toInt());
    m_allowMissing->setChecked(settings.value("allowMissing", false).toBool());
    m_raw->setChecked(settings.value("raw", false).toBool());
}

} // namespace gridhelm::ui
