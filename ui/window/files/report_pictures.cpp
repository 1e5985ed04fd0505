// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/files/report_pictures.h"

#include "core/support/error.h"
#include "ui/controls/plain_text.h"
#include "ui/window/views/view_area.h"

#include <QBuffer>

#include <algorithm>
#include <memory>
#include <utility>

namespace gridhelm::ui {
namespace {

constexpr int longestSide = 1600; ///< sharp on a page, also printed

/// Of one taking, until the last view has answered.
struct Taking
{
    std::vector<ViewPicture> pictures;
    std::size_t awaited = 0;
    std::function<void(std::vector<ViewPicture>)> take;

    void arrive()
    {
        if (--awaited > 0)
            return;
        std::erase_if(pictures, [](const ViewPicture &each) { return each.image.isNull(); });
        take(std::move(pictures));
    }
};

QString captionOf(const SteeredView &view)
{
    const auto [low, high] = view.scene().range();
    // Names and units are a stranger's: one may look like a place for a number.
    return cleanLine(QString::fromStdString(view.scene().title())) + " at "
           + cleanLine(view.caption()) + "; colours from " + QString::number(low, 'g', 5) + " to "
           + QString::number(high, 'g', 5);
}

} // namespace

void takeViews(ViewArea &area, std::function<void(std::vector<ViewPicture>)> take)
{
    std::vector<const SteeredView *> views;
    const auto add = [&views](const SteeredView *view) {
        if (view && view->isVisible() && view->sceneWidget() && view->frame())
            views.push_back(view);
    };
    add(area.compared().pinned()); // on the left
    add(&area.compared().steered());
    for (auto *dock : area.companions())
        add(&dock->view());
    const auto taking = std::make_shared<Taking>();
    taking->take = std::move(take);
    taking->awaited = views.size() + 1;
    for (const auto *view : views)
        taking->pictures.push_back({{}, captionOf(*view)});
    for (std::size_t i = 0; i < views.size(); ++i) {
        // Called once, or let go of with the view: then it is what is left that arrives.
        const std::shared_ptr<void> arrived(nullptr, [taking](void *) { taking->arrive(); });
        views[i]->sceneWidget()->takePicture(
            [taking, i, arrived](const QImage &image) { taking->pictures[i].image = image; });
    }
    taking->arrive();
}

std::string encodedPicture(const QImage &image)
{
    auto fitting = image;
    if (std::max(image.width(), image.height()) > longestSide)
        fitting =
            image.scaled(longestSide, longestSide, Qt::KeepAspectRatio, Qt::SmoothTransformation);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    if (!buffer.open(QIODevice::WriteOnly) || !fitting.save(&buffer, "PNG"))
        throw Error("a picture of the report could not be made: free some memory, or close views");
    return bytes.toStdString();
}

} // namespace gridhelm::ui
