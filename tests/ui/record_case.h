// SPDX-License-Identifier: GPL-3.0-or-later
//
// The dialog Record as a user has it, and the pictures that it makes.
#pragma once

#include "tests/ui/window_case.h"
#include "ui/campaign/path_field.h"
#include "ui/window/record/record_dialog.h"

#include <QComboBox>
#include <QDir>
#include <QImage>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>

#include <cstdlib>
#include <vector>

namespace gridhelm::test {

class OpenRecorder : public OpenWindow
{
public:
    OpenRecorder(const std::filesystem::path &study, const QString &path, int pictures)
        : OpenWindow(study)
    {
        press(QKeySequence("Ctrl+M"));
        box(dialog(), "Parameter that moves")->setCurrentIndex(1); // lid
        named<QSpinBox>(dialog(), "Number of pictures")->setValue(pictures);
        dialog().findChild<ui::PathField *>()->setPath(path);
    }

    void choose(const QString &what)
    {
        auto &choice = *box(dialog(), "Animated quantity");
        for (int i = 0; i < choice.count(); ++i)
            if (choice.itemText(i).contains(what))
                choice.setCurrentIndex(i);
    }
    void press(const QKeySequence &keys) { OpenWindow::press(keys); }
    void press(const QString &button)
    {
        for (auto *candidate : dialog().findChildren<QPushButton *>())
            if (candidate->text().remove('&') == button)
                QTest::mouseClick(candidate, Qt::LeftButton);
    }

    ui::RecordDialog &dialog() { return *window->findChild<ui::RecordDialog *>(); }
    QPushButton &button()
    {
        for (auto *candidate : dialog().findChildren<QPushButton *>()) {
            if (candidate->text() == "Record" || candidate->text() == "Stop")
                return *candidate;
        }
        qFatal("there is no such button");
    }
    bool says(const QString &what)
    {
        for (auto *label : dialog().findChildren<QLabel *>()) {
            if (label->text().contains(what))
                return true;
        }
        return false;
    }
    void record() { QTest::mouseClick(&button(), Qt::LeftButton); }
    bool hasEnded()
    {
        return QTest::qWaitFor([this] { return !window->recorder().isRecording(); },
                               waitMilliseconds);
    }
};

/// Values that are painted, and not drawn by OpenGL, may be off by what nobody sees.
inline bool areAlike(const QImage &a, const QImage &b)
{
    if (a.size() != b.size())
        return false;
    constexpr int most = 8;
    for (int y = 0; y < a.height(); ++y) {
        for (int x = 0; x < a.width(); ++x) {
            const QRgb one = a.pixel(x, y), other = b.pixel(x, y);
            if (std::abs(qRed(one) - qRed(other)) > most
                || std::abs(qGreen(one) - qGreen(other)) > most
                || std::abs(qBlue(one) - qBlue(other)) > most)
                return false;
        }
    }
    return true;
}

/// That are in the folder.
inline std::vector<QImage> series(const Folder &folder)
{
    std::vector<QImage> pictures;
    const QDir dir(inside(folder, ""));
    for (const auto &name : dir.entryList({"lid-*.png"}))
        pictures.emplace_back(dir.filePath(name));
    return pictures;
}

} // namespace gridhelm::test
