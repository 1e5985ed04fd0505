// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/files/report_pdf.h"

#include "core/support/error.h"
#include "core/support/output_file.h"
#include "data/answers/stoppable_model.h"
#include "data/answers/study_report.h"
#include "ui/controls/file_device.h"
#include "ui/window/files/report_document.h"

#include <QAbstractTextDocumentLayout>
#include <QFile>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>

namespace gridhelm::ui {
namespace {

/// Into that of the pages, each with its number below.
void print(ReportDocument &document, QPdfWriter &writer, const std::stop_token &stop)
{
    QPainter painter(&writer);
    const QSizeF whole(writer.width(), writer.height());
    const double footer = ReportDocument::dotsPerInch * 0.3;
    document.setDocumentMargin(0);
    document.documentLayout()->setPaintDevice(&writer);
    document.setPageSize({whole.width(), whole.height() - footer});
    data::requireGoingOn(stop);
    const int pages = document.pageCount();
    document.setPrinting(true);
    for (int page = 0; page < pages; ++page) {
        data::requireGoingOn(stop);
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
        if (document.lacksPictures())
            throw Error("there is not enough memory for a picture of the report: close other "
                        "programs, or views");
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
        && !(problemOfOpening(file).isEmpty() && file.peek(enough).startsWith("%PDF")
             && file.peek(enough).contains(generator)))
        throw Error(
            (path + " is there, and is no report: give the report another name").toStdString());
    requireWritable(QFile::encodeName(path).toStdString());
}

void writeReportPdf(const std::string &page, const QString &path, const std::stop_token &stop)
{
    constexpr qsizetype longestTitle = 200; // of letters; see requireReportPdf()
    ReportDocument document(page, stop);
    writeThroughDevice(path, [&](QIODevice &device) {
        QPdfWriter writer(&device);
        writer.setPageSize(QPageSize(QPageSize::A4));
        writer.setPageMargins(QMarginsF(16, 16, 16, 14), QPageLayout::Millimeter);
        writer.setResolution(ReportDocument::dotsPerInch);
        writer.setTitle(document.metaInformation(QTextDocument::DocumentTitle).left(longestTitle));
        writer.setCreator(QString::fromUtf8(data::reportGenerator.data(),
                                            static_cast<qsizetype>(data::reportGenerator.size())));
        print(document, writer, stop);
        return true;
    });
}

} // namespace gridhelm::ui
