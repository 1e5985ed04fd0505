// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/campaign/import_page.h"

#include "ui/campaign/path_field.h"
#include "ui/controls/plain_text.h"

#include <QCheckBox>
#include <QFileDialog>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSaveFile>
#include <QVBoxLayout>

namespace gridhelm::ui {
namespace {

constexpr qsizetype maxShown = 20'000; // characters; the file has all

} // namespace

ImportPage::ImportPage(QWidget *parent)
    : QWidget(parent)
    , m_table(new PathField(PathField::Purpose::open, "Table of parameters and files",
                            "Tables (*.csv);;All files (*)", this))
    , m_resample(new QCheckBox("Resample", this))
    , m_allTimes(new QCheckBox("All times", this))
    , m_import(new QPushButton("Import", this))
    , m_result(new PlainLabel(this))
    , m_missing(new QPlainTextEdit(this))
    , m_save(new QPushButton("Save what is missing…", this))
{
    m_table->setObjectName("importTable");
    m_table->field()->setPlaceholderText("table.csv: a column for each parameter, and file");
    m_import->setObjectName("importFiles");
    m_missing->setObjectName("importMissing");
    m_result->setObjectName("importResult");
    m_resample->setToolTip("Bring files on other meshes onto that of the study, the first file's");
    m_allTimes->setToolTip("Of series: take times between the grid's, too, as validation points");
    m_import->setToolTip("Take the files that the table names into the study: those on the grid as "
                         "snapshots, the others as validation points");
    m_result->setWordWrap(true);
    m_result->setText("Results that exist already: a CSV table names their parameters and files.");
    m_missing->setReadOnly(true);
    m_missing->setTabChangesFocus(true);
    m_missing->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_missing->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_missing->setAccessibleName("Grid points that are still missing");
    m_missing->hide();
    m_save->hide();

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    layout->addWidget(m_table);
    auto *row = new QHBoxLayout;
    row->addWidget(m_resample);
    row->addWidget(m_allTimes);
    row->addStretch(1);
    row->addWidget(m_import);
    layout->addLayout(row);
    layout->addWidget(m_result);
    layout->addWidget(m_missing, 1);
    layout->addWidget(m_save, 0, Qt::AlignLeft);
    layout->addStretch(0);
    connect(m_import, &QPushButton::clicked, this, &ImportPage::import);
    connect(m_table->field(), &QLineEdit::returnPressed, m_import, &QPushButton::click);
    connect(m_save, &QPushButton::clicked, this, &ImportPage::saveMissing);
}

void ImportPage::setAble(bool able)
{
    m_import->setEnabled(able);
}

void ImportPage::import()
{
    if (m_table->path().isEmpty()) {
        emit refused("There is no table yet: choose a CSV file of parameters and files");
        return;
    }
    data::ImportStep step;
    step.table = m_table->path().toStdString();
    step.resample = m_resample->isChecked();
    step.howToResample = "(tick Resample)";
    step.allTimes = m_allTimes->isChecked();
    emit wanted(step);
}

void ImportPage::show(const TaskEnd &end)
{
    auto text = end.sentence;
    if (end.how != TaskEnd::How::failed)
        text += end.missing == 0 ? QString(". Every grid point has its snapshot.")
                                 : QString(". Still missing: %1 grid points.").arg(end.missing);
    m_result->setText(text);
    m_csv = end.missing > 0 ? end.missingCsv : QString();
    m_missing->setPlainText(m_csv.size() > maxShown ? m_csv.left(maxShown) + "…" : m_csv);
    m_missing->setVisible(!m_csv.isEmpty());
    m_save->setVisible(!m_csv.isEmpty());
}

void ImportPage::forget()
{
    m_csv.clear();
    m_missing->hide();
    m_save->hide();
    m_result->setText("Results that exist already: a CSV table names their parameters and files.");
}

void ImportPage::saveMissing()
{
    const auto path = QFileDialog::getSaveFileName(this, "Save the missing points", "missing.csv",
                                                   "Tables (*.csv);;All files (*)");
    if (path.isEmpty())
        return;
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(m_csv.toUtf8()) < 0 || !file.commit())
        emit refused(QString("%1 cannot be written (%2); choose another folder")
                         .arg(path, file.errorString()));
    else
        emit news(QString("The missing points are listed in %1").arg(path));
}

} // namespace gridhelm::ui
