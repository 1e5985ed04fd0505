// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/files/report_document.h"

#include "data/answers/stoppable_model.h"

#include <QBuffer>
#include <QByteArray>
#include <QImageReader>
#include <QPainter>
#include <QSvgRenderer>
#include <QUrl>

#include <algorithm>
#include <array>
#include <utility>

namespace gridhelm::ui {
namespace {

constexpr double textWidth = 670;  ///< of a page, in the pixels of HTML
constexpr double plotShare = 0.75; ///< three small plots beside each other
constexpr auto style = "body { font-family: sans-serif; font-size: 9pt; color: #1d2430; }"
                       "h1 { font-size: 17pt; } h2 { font-size: 12pt; }"
                       "th, td { padding: 2px 8px 2px 0px; font-size: 8pt; }"
                       ".quiet, figcaption { color: #667085; } pre { font-size: 7pt; }";

/// Qt's SVG knows neither variables nor the page's style: colours are written to the elements.
QByteArray withColours(QString svg)
{
    constexpr std::array colours{"#2467a8", "#d9730d", "#2f8f5b", "#b5385a", "#7a52b3", "#8a6d1f"};
    const QString text = "<text font-family=\"sans-serif\" fill=\"#1d2430\" font-size=\"%1\" "
                         "font-weight=\"%2\"";
    const std::array<std::pair<const char *, QString>, 6> kinds{
        {{"<text class=\"label\"", text.arg(12).arg(400)},
         {"<text class=\"title\"", text.arg(13).arg(600)},
         {"<text class=\"group\"", text.arg(12).arg(600)},
         {"<line class=\"axis\"", "<line stroke=\"#667085\""},
         {"<line class=\"grid\"", "<line stroke=\"#d8dde6\""},
         {"<line class=\"mark\"", "<line stroke=\"#667085\" stroke-dasharray=\"4 3\""}}};
    for (const auto &[from, to] : kinds)
        svg.replace(from, to);
    for (std::size_t i = 0; i < colours.size(); ++i) {
        svg.replace(QString("<rect class=\"series c%1\"").arg(i),
                    QString("<rect fill=\"%1\"").arg(colours[i]));
        svg.replace(QString("<g class=\"series c%1\"").arg(i),
                    QString("<g stroke=\"%1\" fill=\"%1\"").arg(colours[i]));
    }
    svg.replace("<polyline ", "<polyline fill=\"none\" stroke-width=\"1.8\" ");
    return svg.toUtf8();
}

/// Of a plot on the page, in the pixels of HTML.
QSizeF sizeOf(const QSvgRenderer &plot)
{
    const QSizeF size = plot.defaultSize();
    const double width = std::min(plotShare * size.width(), textWidth);
    return size * (width / std::max(size.width(), 1.0));
}

QImage drawn(const QByteArray &svg)
{
    QSvgRenderer plot(svg);
    QImage image((sizeOf(plot) * (ReportDocument::dotsPerInch / 96.0)).toSize(),
                 QImage::Format_RGB32);
    if (image.isNull())
        return image;
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    plot.render(&painter);
    return image;
}

QSizeF sizeOf(QByteArray png)
{
    QBuffer buffer(&png);
    buffer.open(QIODevice::ReadOnly);
    const QSizeF size = QImageReader(&buffer, "PNG").size();
    return size * (std::min(textWidth, size.width()) / std::max(size.width(), 1.0));
}

/// Replaces each part of the page from `begin` up to and with `end` by what `make` makes of it.
template <typename Make>
void replaceParts(QString &page, const QString &begin, const QString &end, const Make &make)
{
    for (qsizetype at = 0; (at = page.indexOf(begin, at)) >= 0;) {
        const auto last = page.indexOf(end, at + begin.size());
        if (last < 0)
            return;
        const auto length = last + end.size() - at;
        const QString made = make(page.mid(at, length));
        page.replace(at, length, made);
        at += made.size();
    }
}

} // namespace

ReportDocument::ReportDocument(const std::string &text, const std::stop_token &stop)
{
    auto page = QString::fromStdString(text);
    replaceParts(page, "<style>", "</style>", [](const QString &) { return QString(); });
    replaceParts(page, "<svg", "</svg>", [&](const QString &part) {
        data::requireGoingOn(stop);
        const auto svg = withColours(part);
        return tagFor(sizeOf(QSvgRenderer(svg)), [svg] { return drawn(svg); });
    });
    const QString data = "base64,";
    replaceParts(page, "<img alt=", "\">", [&](const QString &inlined) {
        const auto from = inlined.indexOf(data) + data.size();
        const auto png =
            QByteArray::fromBase64(inlined.mid(from, inlined.size() - 2 - from).toLatin1());
        return tagFor(sizeOf(png), [png] { return QImage::fromData(png, "PNG"); });
    });
    page.replace("<figcaption>", "<br><span class=\"quiet\">").replace("</figcaption>", "</span>");
    page.replace("<figure>", "<p>").replace("</figure>", "</p>");
    page.replace("<table>", "<table width=\"100%\">");
    setDefaultStyleSheet(style);
    setHtml(page);
}

QString ReportDocument::tagFor(const QSizeF &size, std::function<QImage()> draw)
{
    const auto name = QString("picture:%1").arg(m_pictures.size() + 1);
    m_pictures.emplace(name, std::move(draw));
    // Both sides: what is missing would be in pixels of the picture, not of the page.
    return QString("<img src=\"%1\" width=\"%2\" height=\"%3\">")
        .arg(name)
        .arg(size.width(), 0, 'f', 0)
        .arg(size.height(), 0, 'f', 0);
}

QVariant ReportDocument::loadResource(int type, const QUrl &name)
{
    if (type != ImageResource)
        return {};
    // Also of other names: without an image, the document would look for a file.
    QImage image(1, 1, QImage::Format_RGB32);
    image.fill(Qt::white);
    const auto picture = m_pictures.find(name.toString());
    if (m_isPrinting && picture != m_pictures.end())
        image = picture->second();
    m_lacksPictures = m_lacksPictures || image.isNull();
    return image;
}

} // namespace gridhelm::ui
