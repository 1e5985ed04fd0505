// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/files/picture_dialog.h"

#include "ui/campaign/path_field.h"
#include "ui/controls/plain_text.h"
#include "ui/window/files/picture_size_field.h"
#include "ui/window/views/compared_views.h"
#include "ui/window/window_files.h"

#include <QCheckBox>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileInfo>
#include <QFormLayout>
#include <QGuiApplication>
#include <QPointer>
#include <QPushButton>
#include <QVBoxLayout>

#include <exception>

namespace gridhelm::ui {
namespace {

/// "field.png", or the first of "field-2.png" ... that is free in the folder.
QString freeName(const QDir &folder)
{
    QString name = "field.png";
    for (int number = 2; folder.exists(name) && number < 1000; ++number)
        name = QString("field-%1.png").arg(number);
    return folder.filePath(name);
}

} // namespace

PictureDialog::PictureDialog(ComparedViews &views, QWidget *parent)
    : QDialog(parent)
    , m_views(views)
    , m_size(new PictureSizeField([&views] { return views.pictureSize(); }, this))
    , m_transparent(new QCheckBox("&Transparent background", this))
    , m_path(new PathField(PathField::Purpose::make, "Picture",
                           QString("Pictures (*.png *.jpg *.jpeg *.tif *.tiff)"), this))
    , m_says(new PlainLabel(this))
    , m_save(new QPushButton("&Save", this))
    , m_copy(new QPushButton("&Copy", this))
{
    setWindowTitle("Save the picture");
    m_transparent->setToolTip("Nothing behind what is drawn: for slides and pages of any colour");
    m_path->setToolTip(".png, .tif: exact, also without a background. .jpg: smaller");
    m_says->setWordWrap(true);
    m_says->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_copy->setToolTip("To the clipboard, instead of a file");
    auto *form = new QFormLayout;
    form->addRow("Si&ze", m_size);
    form->addRow({}, m_transparent);
    form->addRow("&File", m_path);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    buttons->addButton(m_save, QDialogButtonBox::AcceptRole);
    buttons->addButton(m_copy, QDialogButtonBox::ActionRole);
    m_save->setDefault(true);
    auto *layout = new QVBoxLayout(this);
    layout->addLayout(form);
    layout->addWidget(m_says);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &PictureDialog::save);
    connect(m_copy, &QPushButton::clicked, this, &PictureDialog::copy);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    m_path->setPath(QDir::currentPath());
}

void PictureDialog::showEvent(QShowEvent *event)
{
    QDialog::showEvent(event);
    say({});
    m_mayReplace.clear();
    const QFileInfo last(m_path->path());
    m_path->setPath(
        QDir::toNativeSeparators(freeName(last.isDir() ? QDir(m_path->path()) : last.dir())));
}

void PictureDialog::save()
{
    const auto path = QDir::fromNativeSeparators(m_path->path());
    if (QFileInfo::exists(path) && m_mayReplace != path) {
        m_mayReplace = path;
        say(path + " exists already; Save again replaces it");
        return;
    }
    draw([path](const QImage &picture) {
        savePicture(picture, path);
        return "The picture is in " + path;
    });
}

void PictureDialog::copy()
{
    draw([](const QImage &picture) {
        QGuiApplication::clipboard()->setImage(picture);
        return QString("The picture is in the clipboard");
    });
}

void PictureDialog::draw(const std::function<QString(const QImage &picture)> &keep)
{
    say("Drawing ...");
    m_save->setEnabled(false);
    m_copy->setEnabled(false);
    m_views.takePicture({m_size->size(), m_transparent->isChecked()},
                        [self = QPointer(this), keep](const QImage &picture, QString problem) {
                            if (!self)
                                return;
                            self->m_save->setEnabled(true);
                            self->m_copy->setEnabled(true);
                            try {
                                if (!picture.isNull()) {
                                    emit self->news(keep(picture));
                                    self->accept();
                                    return;
                                }
                            } catch (const std::exception &error) {
                                problem = QString::fromStdString(error.what());
                            }
                            self->say(problem);
                        });
}

void PictureDialog::say(const QString &sentence)
{
    m_says->setText(sentence);
    m_says->setVisible(!sentence.isEmpty());
}

} // namespace gridhelm::ui
