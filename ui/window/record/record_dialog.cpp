// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/record/record_dialog.h"

#include "ui/campaign/path_field.h"
#include "ui/controls/number_field.h"
#include "ui/controls/plain_text.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <exception>

namespace gridhelm::ui {

RecordDialog::RecordDialog(SteeringModel &model, Recorder &recorder, QWidget *parent)
    : QDialog(parent)
    , m_model(model)
    , m_recorder(recorder)
    , m_parameter(new QComboBox(this))
    , m_from(new NumberField("First value", this))
    , m_to(new NumberField("Last value", this))
    , m_pictures(new QSpinBox(this))
    , m_rate(new QDoubleSpinBox(this))
    , m_path(new PathField(PathField::Purpose::make, "Recording",
                           "Movies (*.mp4 *.mkv *.webm);;Series of pictures (*.png)", this))
    , m_progress(new QProgressBar(this))
    , m_says(new PlainLabel(this))
    , m_start(new QPushButton(this))
{
    setWindowTitle("Record");
    m_parameter->setAccessibleName("Parameter that moves");
    m_parameter->setToolTip("It moves in even steps; all the others stay where they are");
    m_from->setToolTip("Where the recording begins");
    m_to->setToolTip("Where it ends");
    m_pictures->setRange(2, 100'000);
    m_pictures->setValue(120);
    m_pictures->setAccessibleName("Number of pictures");
    m_pictures->setToolTip("Each shows an exact field");
    m_rate->setRange(1, 240);
    m_rate->setDecimals(0);
    m_rate->setValue(30);
    m_rate->setSuffix(" pictures/s");
    m_rate->setAccessibleName("Pictures a second");
    m_rate->setToolTip("Of a movie");
    m_path->setPath(canMakeMovies() ? "recording.mp4" : "recording.png");
    m_path->setToolTip(canMakeMovies()
                           ? ".mp4, .mkv, .webm: a movie. .png: a series, name-0001.png and so on"
                           : "A series: name-0001.png and so on (movies need ffmpeg, which is not "
                             "installed)");
    m_says->setWordWrap(true);
    m_says->setTextInteractionFlags(Qt::TextSelectableByMouse);

    auto *ends = new QHBoxLayout;
    ends->addWidget(m_from);
    ends->addWidget(new QLabel("to", this));
    ends->addWidget(m_to);
    auto *form = new QFormLayout;
    form->addRow("&Parameter", m_parameter);
    form->addRow("From", ends);
    form->addRow("P&ictures", m_pictures);
    form->addRow("&Rate", m_rate);
    form->addRow("&File", m_path);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    buttons->addButton(m_start, QDialogButtonBox::ActionRole);
    auto *layout = new QVBoxLayout(this);
    layout->addLayout(form);
    layout->addWidget(m_progress);
    layout->addWidget(m_says);
    layout->addWidget(buttons);

    connect(m_parameter, &QComboBox::currentIndexChanged, this, &RecordDialog::showRange);
    for (auto *field : {m_from, m_to})
        connect(field, &NumberField::refused, m_says, &QLabel::setText);
    connect(m_start, &QPushButton::clicked, this, &RecordDialog::startOrStop);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    connect(&model, &SteeringModel::studyChanged, this, &RecordDialog::showParameters);
    connect(&recorder, &Recorder::progressed, this, [this](int pictures, int of) {
        m_progress->setRange(0, of);
        m_progress->setValue(pictures);
        showState();
    });
    connect(&recorder, &Recorder::ended, this, [this](const QString &sentence) {
        m_says->setText(sentence);
        showState();
    });
    showParameters();
    showState();
}

void RecordDialog::showParameters()
{
    const auto &study = m_model.study();
    QStringList names;
    for (std::size_t t = 0; study && t < study->parameters.parameters().size(); ++t)
        names << QString::fromStdString(study->parameters[t].name);
    QStringList before;
    for (int i = 0; i < m_parameter->count(); ++i)
        before << m_parameter->itemText(i);
    if (names == before)
        return;
    m_parameter->clear();
    m_parameter->addItems(names);
    m_parameter->setCurrentIndex(m_parameter->count() - 1); // time is the last one
}

void RecordDialog::showRange()
{
    const int t = m_parameter->currentIndex();
    if (t < 0)
        return;
    const auto &parameter = m_model.study()->parameters[static_cast<std::size_t>(t)];
    for (auto *field : {m_from, m_to})
        field->setRange(parameter.low, parameter.high);
    m_from->setValue(parameter.low);
    m_to->setValue(parameter.high);
}

void RecordDialog::startOrStop()
{
    if (m_recorder.isRecording()) {
        m_recorder.stop();
        return;
    }
    m_says->clear();
    try {
        m_recorder.start({static_cast<std::size_t>(std::max(0, m_parameter->currentIndex())),
                          m_from->value(), m_to->value(), m_pictures->value(), m_rate->value(),
                          m_path->path()});
    } catch (const std::exception &problem) {
        m_says->setText(QString::fromStdString(problem.what()));
    }
    showState();
}

void RecordDialog::showState()
{
    const bool isRecording = m_recorder.isRecording();
    m_start->setText(isRecording ? "Stop" : "Record");
    for (auto *widget :
         std::initializer_list<QWidget *>{m_parameter, m_from, m_to, m_pictures, m_rate, m_path})
        widget->setEnabled(!isRecording);
}

} // namespace gridhelm::ui
