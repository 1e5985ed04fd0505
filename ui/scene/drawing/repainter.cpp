// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/drawing/repainter.h"

#include "ui/scene/drawing/pixel_map.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace gridhelm::ui {
namespace {

constexpr std::uint32_t opaque = 0xff000000U;

int part(std::uint32_t pixel, int number) // 0: blue
{
    return static_cast<int>(pixel >> (8 * number) & 255U);
}

std::uint32_t packed(const Colour &colour)
{
    return opaque | static_cast<std::uint32_t>(colour[0]) << 16
           | static_cast<std::uint32_t>(colour[1]) << 8 | colour[2];
}

/// `cover` of 255 parts of the one, the rest of the other.
std::uint32_t mixed(std::uint32_t over, std::uint32_t under, int cover)
{
    std::uint32_t mix = opaque;
    for (int i = 0; i < 3; ++i)
        mix |= static_cast<std::uint32_t>(
                   (part(over, i) * cover + part(under, i) * (255 - cover) + 127) / 255)
               << (8 * i);
    return mix;
}

/// From places along the scale to colours, as VTK does with a texture.
class Paints
{
public:
    explicit Paints(const ColourScale &scale)
        : m_scale(scale)
    {
        for (int i = 0; i < tableSize; ++i)
            m_table[static_cast<std::size_t>(i)] = packed(colourAt(scale, (i + 0.5) / tableSize));
    }

    const ColourScale &scale() const { return m_scale; }

    /// In parts of the table; may be outside.
    float placeOf(float value) const
    {
        if (std::isnan(value))
            return value;
        const double place = ui::placeOf(m_scale, static_cast<double>(value));
        return static_cast<float>(tableSize * std::clamp(place, -1000.0, 1000.0));
    }
    std::uint32_t at(float place) const
    {
        if (!(place >= 0))
            return place < 0 ? m_table.front() : packed(colourOfNoNumber);
        return m_table[static_cast<std::size_t>(std::min(place, tableSize - 1.0F))];
    }

private:
    ColourScale m_scale;
    std::array<std::uint32_t, tableSize> m_table{};
};

/// How a pixel mixes the colour of the face with what else is there.
struct Share
{
    std::uint32_t rest = 0;         ///< with a black face
    std::array<std::uint8_t, 3> of; ///< of the colour, blue first, in parts of 255
};

/// In pixels of a picture, rows from the top.
struct Area
{
    int left = 0, top = 0, right = 0, bottom = 0; ///< right and bottom are outside
};

} // namespace

struct Repainter::Picture
{
    int width = 0;
    std::vector<std::uint32_t> black; ///< the picture with black faces
    std::string title;                ///< that is in it
    std::vector<ValueSource> sources;
    std::vector<float> places;    ///< of each source
    std::vector<SeenPixel> whole; ///< where there is nothing but the face's colour
    std::vector<SeenPixel> partly;
    std::vector<Share> shares; ///< of `partly`
    std::optional<Paints> paints;
    Area caption; ///< where the last one is

    void paint(std::span<const float> shown, std::span<std::uint32_t> pixels)
    {
        for (std::size_t i = 0; i < sources.size(); ++i) {
            const auto &from = sources[i];
            const float first = shown[from.first];
            const float value =
                from.ofSecond == 0 ? first : first + from.ofSecond * (shown[from.second] - first);
            places[i] = paints->placeOf(value);
        }
        const auto colourOf = [this](const SeenPixel &seen) {
            const float first = places[seen.vertices[0]];
            return paints->at(first + seen.ofSecond * (places[seen.vertices[1]] - first)
                              + seen.ofThird * (places[seen.vertices[2]] - first));
        };
        for (const auto &seen : whole)
            pixels[seen.pixel] = colourOf(seen);
        for (std::size_t i = 0; i < partly.size(); ++i) {
            const auto colour = colourOf(partly[i]);
            const auto &share = shares[i];
            std::uint32_t mix = opaque;
            for (int k = 0; k < 3; ++k) {
                const int sum =
                    part(share.rest, k)
                    + (share.of[static_cast<std::size_t>(k)] * part(colour, k) + 127) / 255;
                mix |= static_cast<std::uint32_t>(std::min(sum, 255)) << (8 * k);
            }
            pixels[partly[i].pixel] = mix;
        }
    }
};

/// What is known before a Picture can be taken.
struct Repainter::Preparation
{
    Scene::Surface surface;
    std::vector<SeenPixel> seen;
    std::vector<std::uint32_t> black; ///< with this title and these colours of the bar
    std::string title;
    ColourScale scale;
};

Repainter::Repainter(Scene &scene, Draw draw)
    : m_scene(scene)
    , m_draw(std::move(draw))
{
}

Repainter::~Repainter() = default;

void Repainter::drawAll(std::span<std::uint32_t> pixels)
{
    m_scene.prepare(m_view->window[0], m_view->window[1], m_view->window[2]);
    m_draw(pixels);
}

void Repainter::drawWith(Faces faces, std::span<std::uint32_t> pixels)
{
    m_scene.setFaces(faces);
    try {
        drawAll(pixels);
    } catch (...) {
        m_scene.setFaces(Faces::byValue);
        throw;
    }
    m_scene.setFaces(Faces::byValue);
}

void Repainter::paint(int width, int height, int dpi, std::span<std::uint32_t> pixels)
{
    const auto view = m_scene.layOut(width, height, dpi);
    const bool isSame = view && view == m_view;
    if (!isSame) {
        m_preparation.reset();
        m_picture.reset();
        m_isHopeless = false;
    }
    m_view = view;
    if (!view) {
        m_scene.prepare(width, height, dpi);
        m_draw(pixels);
    } else if (!isSame || m_isHopeless) {
        drawAll(pixels);
    } else if (m_picture) {
        repaint(*m_picture, pixels);
        ++m_painted;
    } else {
        drawAll(pixels);
        getReady(pixels);
    }
}

void Repainter::forget()
{
    m_view.reset();
    m_preparation.reset();
    m_picture.reset();
}

bool Repainter::couldBeReady() const
{
    return m_view && !m_picture && !m_isHopeless;
}

void Repainter::getReady(std::span<std::uint32_t> pixels)
{
    if (!couldBeReady())
        return;
    if (!m_preparation) {
        m_preparation = std::make_unique<Preparation>();
        auto &surface = m_preparation->surface;
        surface = m_scene.surface();
        m_isHopeless = surface.sources.empty();
        if (!m_isHopeless)
            m_preparation->seen =
                seenPixels(*surface.data, surface.isPerCell, *m_scene.fieldRenderer(),
                           m_view->window[0], m_view->window[1]);
        return;
    }
    auto &from = *m_preparation;
    if (from.black.empty() || from.title != m_scene.title() || from.scale != m_scene.colours()) {
        from.black.resize(pixels.size());
        drawWith(Faces::allBlack, from.black);
        from.title = m_scene.title();
        from.scale = m_scene.colours();
        return;
    }
    m_picture = takePicture(from, pixels);
    m_isHopeless = !m_picture;
    m_preparation.reset();
}

std::unique_ptr<Repainter::Picture> Repainter::takePicture(Preparation &from,
                                                           std::span<std::uint32_t> pixels)
{
    auto picture = std::make_unique<Picture>();
    picture->width = m_view->window[0];
    picture->black = std::move(from.black);
    std::vector<std::uint32_t> white(pixels.size());
    drawWith(Faces::allWhite, white);
    picture->title = from.title;
    auto &surface = from.surface;
    const auto &seen = from.seen;
    picture->sources = std::move(surface.sources);
    picture->places.resize(picture->sources.size());

    picture->whole.reserve(seen.size());
    const double brightest = surface.isLit ? whiteOfLitFaces : 1.0;
    std::vector<const SeenPixel *> seenAt(pixels.size(), nullptr);
    for (const auto &pixel : seen)
        seenAt[pixel.pixel] = &pixel;
    const auto width = static_cast<std::size_t>(picture->width);
    // At its border a face may be drawn in a pixel whose middle it misses.
    const auto seenNear = [&](std::size_t at) -> const SeenPixel * {
        for (const auto near : {at, at - 1, at + 1, at - width, at + width, at - width - 1,
                                at - width + 1, at + width - 1, at + width + 1})
            if (near < seenAt.size() && seenAt[near])
                return seenAt[near];
        return nullptr;
    };
    for (std::size_t at = 0; at < pixels.size(); ++at) {
        Share share{picture->black[at], {}};
        bool isAny = false;
        for (int k = 0; k < 3; ++k) {
            const int brighter = part(white[at], k) - part(picture->black[at], k);
            const double of = std::clamp(brighter / brightest, 0.0, 255.0);
            share.of[static_cast<std::size_t>(k)] = static_cast<std::uint8_t>(std::lround(of));
            isAny = isAny || brighter > 0;
        }
        if (!isAny)
            continue;
        const auto *near = seenNear(at);
        if (!near)
            return nullptr;
        auto pixel = *near;
        pixel.pixel = static_cast<std::uint32_t>(at);
        if (share.of == std::array<std::uint8_t, 3>{255, 255, 255}) {
            picture->whole.push_back(pixel);
        } else {
            picture->partly.push_back(pixel);
            picture->shares.push_back(share);
        }
    }

    // Is it the same as what was drawn?
    const std::vector<std::uint32_t> drawn(pixels.begin(), pixels.end());
    std::ranges::copy(picture->black, pixels.begin());
    repaint(*picture, pixels);
    constexpr int tolerance = 16; // of 255; also where a line or an edge is half a pixel off
    constexpr double others = 0.002;
    std::size_t count = 0;
    for (std::size_t at = 0; at < pixels.size(); ++at) {
        int difference = 0;
        for (int k = 0; k < 3; ++k)
            difference = std::max(difference, std::abs(part(pixels[at], k) - part(drawn[at], k)));
        count += difference > tolerance;
    }
    if (static_cast<double>(count) <= others * static_cast<double>(pixels.size()))
        return picture;
    std::ranges::copy(drawn, pixels.begin());
    return nullptr;
}

void Repainter::repaint(Picture &picture, std::span<std::uint32_t> pixels)
{
    const auto &scale = m_scene.colours();
    if (!picture.paints || picture.paints->scale() != scale
        || picture.title != m_scene.title()) { // the bar is another one
        if (picture.paints)
            redrawBar(picture, pixels);
        picture.paints.emplace(scale);
    }
    picture.paint(m_scene.shown(), pixels);
    paintCaption(picture, pixels);
}

/// All that is beside the field, where there are no faces.
void Repainter::redrawBar(Picture &picture, std::span<std::uint32_t> pixels)
{
    std::vector<std::uint32_t> bare(pixels.size());
    drawWith(Faces::hidden, bare);
    const int width = picture.width;
    const auto &box = m_view->field;
    const double top = m_view->window[1] - box.bottom - box.height, bottom = top + box.height;
    const auto isOutside = [](int pixel, double from, double to) {
        return pixel + 1 <= from || pixel >= to;
    };
    for (std::size_t at = 0; at < pixels.size(); ++at) {
        const auto row = static_cast<int>(at) / width, column = static_cast<int>(at) % width;
        if (isOutside(row, top, bottom) || isOutside(column, box.left, box.left + box.width))
            pixels[at] = picture.black[at] = bare[at];
    }
    picture.title = m_scene.title();
}

void Repainter::paintCaption(Picture &picture, std::span<std::uint32_t> pixels)
{
    const int width = picture.width;
    const int height = static_cast<int>(pixels.size()) / width;
    const auto at = [width](int column, int row) {
        return static_cast<std::size_t>(row) * static_cast<std::size_t>(width)
               + static_cast<std::size_t>(column);
    };
    const auto &old = picture.caption;
    for (int row = old.top; row < old.bottom; ++row)
        std::copy(picture.black.begin() + static_cast<std::ptrdiff_t>(at(old.left, row)),
                  picture.black.begin() + static_cast<std::ptrdiff_t>(at(old.right, row)),
                  pixels.begin() + static_cast<std::ptrdiff_t>(at(old.left, row)));
    const auto &text = m_scene.captionImage();
    const int top = height - text.bottom - text.height; // of its highest row
    const Area area{std::clamp(text.left, 0, width), std::clamp(top, 0, height),
                    std::clamp(text.left + text.width, 0, width),
                    std::clamp(top + text.height, 0, height)};
    Colour ink;
    for (std::size_t k = 0; k < 3; ++k)
        ink[k] = static_cast<std::uint8_t>(std::lround(255 * m_scene.ink()[k]));
    for (int row = area.top; row < area.bottom; ++row) {
        for (int column = area.left; column < area.right; ++column) {
            const auto line = static_cast<std::size_t>(text.height - 1 - (row - top));
            const int cover = text.cover[line * static_cast<std::size_t>(text.width)
                                         + static_cast<std::size_t>(column - text.left)];
            auto &pixel = pixels[at(column, row)];
            if (cover > 0)
                pixel = mixed(packed(ink), pixel, cover);
        }
    }
    picture.caption = area;
}

} // namespace gridhelm::ui
