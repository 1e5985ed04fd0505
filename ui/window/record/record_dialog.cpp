// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/record/record_dialog.h"

#include "ui/campaign/path_field.h"
#include "ui/controls/plain_text.h"
#include "ui/window/files/picture_size_field.h"
#include "ui/window/record/camera_path_motion.h"
#include "ui/window/record/orbit_motion.h"
#include "ui/window/record/parameter_motion.h"
#include "ui/window/record/pinned_motion.h"
#include "ui/window/views/compared_views.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <exception>
#include <initializer_list>

namespace gridhelm::ui {

RecordDialog::RecordDialog(SteeringModel &model, Recorder &recorder, ComparedViews &views,
                           QWidget *parent)
    : QDialog(parent)
    , m_recorder(recorder)
    , m_what(new QComboBox(this))
    , m_forms(new QStackedWidget(this))
    , m_pictures(new QSpinBox(this))
    , m_rate(new QDoubleSpinBox(this))
    , m_size(new PictureSizeField([&views] { return views.pictureSize(); }, this))
    , m_path(new PathField(PathField::Purpose::make, "Recording",
                           "Movies (*.mp4 *.mkv *.webm *.gif);;Series of pictures (*.png)", this))
    , m_progress(new QProgressBar(this))
    , m_says(new PlainLabel(this))
    , m_start(new QPushButton(this))
{
    setWindowTitle("Record");
    makeFields();
    for (auto *form : std::initializer_list<MotionForm *>{
             new ParameterForm(model, this), new OrbitForm(views, this),
             new CameraPathForm(model, views, this), new PinnedForm(model, this)})
        addForm(form);
    auto *fields = new QFormLayout;
    fields->addRow("Animated &quantity", m_what);
    fields->addRow(m_forms);
    fields->addRow("P&ictures", m_pictures);
    fields->addRow("&Rate", m_rate);
    fields->addRow("Si&ze", m_size);
    fields->addRow("&File", m_path);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    buttons->addButton(m_start, QDialogButtonBox::ActionRole);
    buttons->button(QDialogButtonBox::Close)->setToolTip("Closes this; what is recorded goes on");
    m_start->setToolTip("Begins, or stops with the pictures that are there");
    auto *layout = new QVBoxLayout(this);
    layout->addLayout(fields);
    layout->addWidget(m_progress);
    layout->addWidget(m_says);
    layout->addWidget(buttons);

    connect(m_what, &QComboBox::currentIndexChanged, m_forms, &QStackedWidget::setCurrentIndex);
    connect(m_start, &QPushButton::clicked, this, &RecordDialog::startOrStop);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    connect(&recorder, &Recorder::progressed, this, [this](int pictures, int of) {
        m_progress->setRange(0, of);
        m_progress->setValue(pictures);
        showState();
    });
    connect(&recorder, &Recorder::ended, this, [this](const QString &sentence) {
        m_says->setText(sentence);
        showState();
    });
    showState();
}

void RecordDialog::makeFields()
{
    m_what->setAccessibleName("Animated quantity");
    m_what->setToolTip("Everything else stays as it is in the window");
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
                           ? ".mp4, .mkv, .webm, .gif: a movie. .png: a series, name-0001.png and "
                             "so on"
                           : "A series: name-0001.png and so on (movies need ffmpeg, which is not "
                             "installed)");
    m_says->setWordWrap(true);
    m_says->setTextInteractionFlags(Qt::TextSelectableByMouse);
}

void RecordDialog::addForm(MotionForm *form)
{
    m_what->addItem(form->name());
    m_forms->addWidget(form);
    connect(form, &MotionForm::refused, m_says, &QLabel::setText);
}

const MotionForm &RecordDialog::form() const
{
    return *qobject_cast<MotionForm *>(m_forms->currentWidget());
}

void RecordDialog::startOrStop()
{
    if (m_recorder.isRecording()) {
        m_recorder.stop();
        return;
    }
    m_says->clear();
    try {
        m_recorder.start({form().motion(), m_pictures->value(), m_rate->value(), m_path->path(),
                          m_size->size()});
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
         std::initializer_list<QWidget *>{m_what, m_forms, m_pictures, m_rate, m_size, m_path})
        widget->setEnabled(!isRecording);
}

} // namespace gridhelm::ui
