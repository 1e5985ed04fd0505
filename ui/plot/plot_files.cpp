// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/plot_files.h"

#include "core/support/error.h"
#include "ui/controls/file_device.h"

#include <QFileInfo>
#include <QImageWriter>
#include <QPageSize>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <qcustomplot.h>

#include <algorithm>

namespace gridhelm::ui {
namespace {

constexpr int dotsPerInch = 96; ///< of a screen's pixels, as files have them

/// Of all, in pixels of the screen.
QSize sizeOf(const QList<QCustomPlot *> &plots)
{
    QSize size(0, 0);
    for (const auto *plot : plots)
        size = {std::max(size.width(), plot->width()), size.height() + plot->height()};
    return size;
}

/// `device` has as many dots as the plots have pixels.
bool drawLines(const QList<QCustomPlot *> &plots, QPaintDevice &device)
{
    QCPPainter painter(&device);
    if (!painter.isActive())
        return false;
    painter.setMode(QCPPainter::pmVectorized);
    painter.setMode(QCPPainter::pmNoCaching);
    painter.fillRect(QRect({0, 0}, sizeOf(plots)), plots.first()->palette().base());
    for (auto *plot : plots) {
        plot->toPainter(&painter, plot->width(), plot->height());
        painter.translate(0, plot->height());
    }
    return painter.end();
}

bool writeSvg(const QList<QCustomPlot *> &plots, QIODevice &file)
{
    const auto size = sizeOf(plots);
    QSvgGenerator svg;
    svg.setOutputDevice(&file);
    svg.setSize(size);
    svg.setViewBox(QRect({0, 0}, size));
    svg.setResolution(dotsPerInch);
    svg.setTitle("Gridhelm");
    return drawLines(plots, svg);
}

bool writePdf(const QList<QCustomPlot *> &plots, QIODevice &file)
{
    QPdfWriter pdf(&file);
    pdf.setCreator("Gridhelm");
    pdf.setResolution(dotsPerInch);
    pdf.setPageSize(QPageSize(QSizeF(sizeOf(plots)) * 72 / dotsPerInch, QPageSize::Point, {},
                              QPageSize::ExactMatch));
    pdf.setPageMargins({});
    return drawLines(plots, pdf);
}

} // namespace

QImage pictureOf(const QList<QCustomPlot *> &plots)
{
    constexpr double scale = 2;
    QImage all(sizeOf(plots) * scale, QImage::Format_RGB32);
    all.fill(plots.first()->palette().color(QPalette::Base));
    QPainter painter(&all);
    int top = 0;
    for (auto *plot : plots) {
        auto image = plot->toPixmap(0, 0, scale).toImage();
        image.setDevicePixelRatio(1);
        painter.drawImage(0, top, image);
        top += image.height();
    }
    return all;
}

void savePlots(const QList<QCustomPlot *> &plots, const QString &path)
{
    const auto ending = QFileInfo(path).suffix().toLower();
    if (ending != "png" && ending != "svg" && ending != "pdf")
        throw Error(
            (path + " says no format by its ending; give .png, .svg or .pdf").toStdString());
    writeThroughDevice(path, [&](QIODevice &device) {
        if (ending == "png")
            return QImageWriter(&device, "png").write(pictureOf(plots));
        return ending == "svg" ? writeSvg(plots, device) : writePdf(plots, device);
    });
}

} // namespace gridhelm::ui
