// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/files/report_pdf.h"

#include "core/support/error.h"
#include "core/support/output_file.h"
#include "data/answers/study_report.h"
#include "ui/controls/file_device.h"

#include <QAbstractTextDocumentLayout>
#include <QFile>
#include <QImage>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgRenderer>
#include <QTextDocument>
#include <QUrl>

#include <algorithm>
#include <array>
#include <utility>

namespace gridhelm::ui {
namespace {

constexpr int dotsPerInch = 300;
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

QImage drawn(const QString &svg, double &width)
{
    QSvgRenderer renderer(withColours(svg));
    const auto size = renderer.defaultSize();
    width = std::min(plotShare * size.width(), textWidth);
    const double scale = width / std::max(size.width(), 1) * dotsPerInch / 96;
    QImage image((QSizeF(size) * scale).toSize(), QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    renderer.render(&painter);
    return image;
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

/// Inline pictures and plots become resources of the document.
void fill(QTextDocument &document, QString page)
{
    int number = 0;
    const auto tag = [&](const QImage &image, double width) {
        const auto name = QString("picture:%1").arg(++number);
        document.addResource(QTextDocument::ImageResource, QUrl(name), image);
        // Both sides: what is missing would be in pixels of the picture, not of the page.
        return QString("<img src=\"%1\" width=\"%2\" height=\"%3\">")
            .arg(name)
            .arg(width, 0, 'f', 0)
            .arg(width * image.height() / std::max(image.width(), 1), 0, 'f', 0);
    };
    replaceParts(page, "<style>", "</style>", [](const QString &) { return QString(); });
    replaceParts(page, "<svg", "</svg>", [&](const QString &svg) {
        double width = 0;
        const auto image = drawn(svg, width);
        return tag(image, width);
    });
    const QString data = "base64,";
    replaceParts(page, "<img alt=", "\">", [&](const QString &inlined) {
        const auto from = inlined.indexOf(data) + data.size();
        const auto image = QImage::fromData(
            QByteArray::fromBase64(inlined.mid(from, inlined.size() - 2 - from).toLatin1()), "PNG");
        return tag(image, std::min<double>(textWidth, image.width()));
    });
    page.replace("<figcaption>", "<br><span class=\"quiet\">").replace("</figcaption>", "</span>");
    page.replace("<figure>", "<p>").replace("</figure>", "</p>");
    page.replace("<table>", "<table width=\"100%\">");
    document.setDefaultStyleSheet(style);
    document.setHtml(page);
}

/// Into that of the pages, each with its number below.
void print(QTextDocument &document, QPdfWriter &writer)
{
    QPainter painter(&writer);
    const QSizeF whole(writer.width(), writer.height());
    const double footer = dotsPerInch * 0.3;
    document.setDocumentMargin(0);
    document.documentLayout()->setPaintDevice(&writer);
    document.setPageSize({whole.width(), whole.height() - footer});
    const int pages = document.pageCount();
    for (int page = 0; page < pages; ++page) {
        if (page > 0)
            writer.newPage();
        const QRectF part(0, page * document.pageSize().height(), whole.width(),
                          document.pageSize().height());
        painter.save();
        painter.translate(0, -part.top());
        QAbstractTextDocumentLayout::PaintContext context;
        context.clip = part;
        context.palette.setColor(QPalette::Text, Qt::black); // whatever the window's theme
        painter.setClipRect(part);
        document.documentLayout()->draw(&painter, context);
        painter.restore();
        auto font = document.defaultFont();
        font.setPointSizeF(8);
        painter.setFont(font);
        painter.drawText(QRectF(0, whole.height() - footer, whole.width(), footer),
                         Qt::AlignRight | Qt::AlignBottom,
                         QString("%1 / %2").arg(page + 1).arg(pages));
    }
}

} // namespace

void requireReportPdf(const QString &path)
{
    // The name of the program that made it is among the first lines, in UTF-16.
    constexpr qint64 enough = 2048;
    QByteArray generator;
    for (const char letter : data::reportGenerator)
        generator.append('\0').append(letter);
    QFile file(path);
    if (file.exists()
        && !(file.open(QIODevice::ReadOnly) && file.peek(enough).startsWith("%PDF")
             && file.peek(enough).contains(generator)))
        throw Error(
            (path + " is there, and is no report: give the report another name").toStdString());
    requireWritable(QFile::encodeName(path).toStdString());
}

void writeReportPdf(const std::string &page, const QString &path)
{
    QTextDocument document;
    fill(document, QString::fromStdString(page));
    writeThroughDevice(path, [&](QIODevice &device) {
        QPdfWriter writer(&device);
        writer.setPageSize(QPageSize(QPageSize::A4));
        writer.setPageMargins(QMarginsF(16, 16, 16, 14), QPageLayout::Millimeter);
        writer.setResolution(dotsPerInch);
        writer.setTitle(document.metaInformation(QTextDocument::DocumentTitle));
        writer.setCreator(QString::fromUtf8(data::reportGenerator.data(),
                                            static_cast<qsizetype>(data::reportGenerator.size())));
        print(document, writer);
        return true;
    });
}

} // namespace gridhelm::ui
