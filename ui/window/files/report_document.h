// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QSizeF>
#include <QString>
#include <QTextDocument>

#include <functional>
#include <map>
#include <stop_token>
#include <string>

namespace gridhelm::ui {

/// What data::reportPage() has written, as a document whose plots and pictures go no wider than a
/// page. In any thread of a program with windows.
class ReportDocument : public QTextDocument
{
public:
    /// As sharp as a printer.
    static constexpr int dotsPerInch = 300;

    /// Throws gridhelm::Error soon after a stop was requested.
    explicit ReportDocument(const std::string &page, const std::stop_token &stop = {});

    /// Until then places for pictures are kept; each picture is drawn when its page is, and again
    /// if that is drawn again: all of them, so sharp, would need much memory.
    void setPrinting(bool isPrinting) { m_isPrinting = isPrinting; }
    /// Whether memory was too short for one of those that were drawn.
    bool lacksPictures() const { return m_lacksPictures; }

protected:
    QVariant loadResource(int type, const QUrl &name) override;

private:
    QString tagFor(const QSizeF &size, std::function<QImage()> draw);

    std::map<QString, std::function<QImage()>> m_pictures;
    bool m_isPrinting = false;
    bool m_lacksPictures = false;
};

} // namespace gridhelm::ui
