// SPDX-License-Identifier: GPL-3.0-or-later
//
// Pictures beside those that were looked at and found right, tests/ui/baselines/*.png: small ones
// of the kinds of view, with all that belongs to a picture. Another rasterizer may draw them; a
// wrong colour map, a missing axis or a missing bar must not pass, and the test shows that they do
// not.
//
// After a change that is meant to change pictures:
//
//     GRIDHELM_RENEW_BASELINES=1 build/dev/test/scene tst_baselines
//
// writes them anew. Look at every one that has changed before it is committed.
#include "core/support/error.h"
#include "tests/support/paths.h"
#include "tests/support/test_program.h"
#include "tests/ui/scene_case.h"

#include <vtkActor2DCollection.h>
#include <vtkPolyDataMapper2D.h>
#include <vtkRenderWindow.h>
#include <vtkRendererCollection.h>
#include <vtkTextActor.h>
#include <vtkTextProperty.h>

#include <QDir>
#include <QFileInfo>
#include <QImage>
#include <QTest>

#include <algorithm>
#include <cstdlib>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

namespace {

constexpr int pictureWidth = 400, pictureHeight = 300;
constexpr qint64 largestFile = 60000;

// What two pictures may differ in. A rasterizer moves edges by a pixel and mixes colours at them
// otherwise: hardly any pixel is then unlike all of its neighbours in the other picture, in no part
// of it, and the mean stays.
constexpr int nearColour = 48;          ///< of 255, of red, green and blue
constexpr int tile = 20;                ///< pixels
constexpr double maxShareOfTile = 0.05; ///< that have nothing like them in the other picture
constexpr double largestMean = 2.4;     ///< of 255: of the difference of all pixels

bool hasNear(const QImage &picture, int x, int y, QRgb colour)
{
    for (int j = std::max(y - 1, 0); j <= std::min(y + 1, picture.height() - 1); ++j) {
        for (int i = std::max(x - 1, 0); i <= std::min(x + 1, picture.width() - 1); ++i) {
            const auto other = picture.pixel(i, j);
            if (std::abs(qRed(other) - qRed(colour)) <= nearColour
                && std::abs(qGreen(other) - qGreen(colour)) <= nearColour
                && std::abs(qBlue(other) - qBlue(colour)) <= nearColour)
                return true;
        }
    }
    return false;
}

/// Why they are not the same picture; empty if they are.
QString difference(const QImage &a, const QImage &b)
{
    if (a.size() != b.size())
        return "another size";
    double sum = 0, worst = 0;
    QPoint where;
    for (int top = 0; top < a.height(); top += tile) {
        for (int left = 0; left < a.width(); left += tile) {
            int lonely = 0;
            for (int y = top; y < std::min(top + tile, a.height()); ++y) {
                for (int x = left; x < std::min(left + tile, a.width()); ++x) {
                    const auto one = a.pixel(x, y), other = b.pixel(x, y);
                    sum += std::abs(qRed(one) - qRed(other)) + std::abs(qGreen(one) - qGreen(other))
                           + std::abs(qBlue(one) - qBlue(other));
                    lonely += !hasNear(b, x, y, one) || !hasNear(a, x, y, other);
                }
            }
            const double share = lonely / double{tile * tile};
            if (share > worst) {
                worst = share;
                where = {left, top};
            }
        }
    }
    const double mean = sum / (3.0 * a.width() * a.height());
    if (worst > maxShareOfTile)
        return QString("around %1, %2 a share of %3 has nothing like it; mean difference %4")
            .arg(where.x())
            .arg(where.y())
            .arg(worst)
            .arg(mean);
    return mean > largestMean ? QString("mean difference %1").arg(mean) : QString();
}

QImage toQt(const Image &image)
{
    QImage picture(image.width, image.height, QImage::Format_RGB32);
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
            const auto &c = image.at(x, y);
            picture.setPixel(x, y, qRgb(c[0], c[1], c[2]));
        }
    return picture;
}

/// A vortex: its speed, and its velocity.
float speed(double x, double y, double z)
{
    return static_cast<float>(
        std::exp(-8 * (std::pow(x - 0.4, 2) + std::pow(y - 0.55, 2) + std::pow(z - 0.3, 2))));
}

struct Case
{
    data::ImageMesh mesh = unitImage(33, 33);
    data::Field field = fieldOf(33 * 33);
    std::vector<float> values = sample(mesh, speed);
    ViewSettings settings;
};

Case caseOf(const QString &name)
{
    Case of;
    auto &settings = of.settings;
    if (name == "contour") {
        settings.kind = ViewKind::contour;
        settings.colours = ColourMap::glow;
        settings.levelCount = 6;
    } else if (name == "relief") {
        settings.kind = ViewKind::surface;
    } else if (name == "glyphs") {
        settings.kind = ViewKind::glyphs;
        settings.glyphCount = 120;
        of.field = fieldOf(33 * 33, 3);
        of.values.clear();
        for (std::size_t i = 0; i < 33 * 33; ++i) {
            const double x = static_cast<double>(i % 33) / 32 - 0.4;
            const auto row = i / 33;
            const double y = static_cast<double>(row) / 32 - 0.55;
            const double s = std::exp(-4 * (x * x + y * y));
            of.values.insert(of.values.end(),
                             {static_cast<float>(-y * s), static_cast<float>(x * s), 0.0F});
        }
    } else if (name == "dark") {
        of.mesh = unitImage(17, 17, 17);
        of.field = fieldOf(17 * 17 * 17);
        of.values = sample(of.mesh, speed);
        settings.dark = true;
        settings.colours = ColourMap::coolWarm;
    }
    return of;
}

const QStringList names{"slice", "contour", "relief", "glyphs", "dark"};

/// A scene in a window of the baselines' size.
class Picture
{
public:
    explicit Picture(const Case &of)
    {
        m_scene.setView(of.settings);
        m_scene.setMesh(data::encodeImageMesh(of.mesh));
        m_scene.setValues(of.field, of.values);
        m_scene.setCaption("Re = 400, t = 2.5 s");
        m_window = std::make_unique<OffScreenWindow>(m_scene, pictureWidth, pictureHeight);
    }

    Scene &scene() { return m_scene; }
    QImage draw() { return toQt(m_window->draw()); }

    /// 0: bar and caption; 1: the field; 2: axes.
    vtkRenderer &layer(int wanted)
    {
        auto *all = m_scene.fieldRenderer()->GetRenderWindow()->GetRenderers();
        for (all->InitTraversal(); auto *renderer = all->GetNextItem();) {
            if (renderer->GetLayer() == wanted)
                return *renderer;
        }
        throw Error("the window has no such layer");
    }
    std::vector<vtkActor2D *> flatActors(int ofLayer)
    {
        std::vector<vtkActor2D *> found;
        auto *actors = layer(ofLayer).GetActors2D();
        for (actors->InitTraversal(); auto *actor = actors->GetNextActor2D();)
            found.push_back(actor);
        return found;
    }

private:
    Scene m_scene;
    std::unique_ptr<OffScreenWindow> m_window;
};

QString fileOf(const QString &name)
{
    return QString(paths::source) + "/tests/ui/baselines/" + name + ".png";
}

using Damage = void (*)(Picture &, Case &);

void drawWithOtherColours(Picture &picture, Case &of)
{
    of.settings.colours =
        of.settings.colours == ColourMap::viridis ? ColourMap::glow : ColourMap::viridis;
    picture.scene().setView(of.settings);
}

void drawWithAnotherRange(Picture &picture, Case &of)
{
    const auto range = picture.scene().range();
    of.settings.range = ValueRange{range.low, range.low + 1.15 * (range.high - range.low)};
    picture.scene().setView(of.settings);
}

void drawWithoutAxes(Picture &picture, Case &)
{
    picture.layer(2).DrawOff();
}

void drawWithoutTextAtAxes(Picture &picture, Case &)
{
    for (auto *actor : picture.flatActors(2)) {
        if (auto *text = vtkTextActor::SafeDownCast(actor))
            text->GetTextProperty()->SetOpacity(0);
    }
}

void drawWithoutColoursOfTheBar(Picture &picture, Case &)
{
    picture.flatActors(0).front()->VisibilityOff();
}

void drawWithoutTheBar(Picture &picture, Case &of)
{
    drawWithoutColoursOfTheBar(picture, of);
    for (auto *actor : picture.flatActors(0)) {
        if (auto *text = vtkTextActor::SafeDownCast(actor))
            text->GetTextProperty()->SetOpacity(0);
        else
            actor->VisibilityOff();
    }
    picture.scene().setCaption("Re = 400, t = 2.5 s");
}

void drawWithoutTheCaption(Picture &picture, Case &)
{
    picture.scene().setCaption("");
}

void drawInTheOtherTheme(Picture &picture, Case &of)
{
    of.settings.dark = !of.settings.dark;
    picture.scene().setView(of.settings);
}

const std::vector<std::pair<const char *, Damage>> damages{
    {"other colours", drawWithOtherColours},
    {"another range", drawWithAnotherRange},
    {"no axes", drawWithoutAxes},
    {"no text at the axes", drawWithoutTextAtAxes},
    {"no colours in the bar", drawWithoutColoursOfTheBar},
    {"no bar", drawWithoutTheBar},
    {"no caption", drawWithoutTheCaption},
    {"the other theme", drawInTheOtherTheme},
};

} // namespace

class BaselinesTest : public QObject
{
    Q_OBJECT

private slots:
    void picturesAreAsTheyWere_data();
    void picturesAreAsTheyWere();
    void edgesMayBeMixedOtherwise_data();
    void edgesMayBeMixedOtherwise();
    void wrongPicturesAreRefused_data();
    void wrongPicturesAreRefused();
};

void BaselinesTest::picturesAreAsTheyWere_data()
{
    QTest::addColumn<QString>("name");
    for (const auto &name : names)
        QTest::newRow(qPrintable(name)) << name;
}

void BaselinesTest::picturesAreAsTheyWere()
{
    QFETCH(QString, name);
    const auto seen = Picture(caseOf(name)).draw();
    if (qEnvironmentVariableIsSet("GRIDHELM_RENEW_BASELINES")) {
        QVERIFY(QDir().mkpath(QString(paths::source) + "/tests/ui/baselines"));
        QVERIFY(seen.save(fileOf(name), "PNG", 0)); // 0: as small as it can be
    }
    const QImage wanted(fileOf(name));
    QVERIFY2(!wanted.isNull(), qPrintable(fileOf(name) + " cannot be read"));
    QVERIFY(QFileInfo(fileOf(name)).size() < largestFile);
    const auto problem = difference(seen, wanted);
    if (!problem.isEmpty()) {
        const auto kept = QDir::temp().filePath("gridhelm-" + name + ".png");
        seen.save(kept);
        QFAIL(qPrintable(problem + "; what was drawn is in " + kept));
    }
}

void BaselinesTest::edgesMayBeMixedOtherwise_data()
{
    picturesAreAsTheyWere_data();
}

void BaselinesTest::edgesMayBeMixedOtherwise()
{
    QFETCH(QString, name);
    const auto seen = Picture(caseOf(name)).draw();
    for (const auto by : {QPoint(1, 0), QPoint(-1, 0), QPoint(0, 1), QPoint(0, -1)}) {
        // Every edge moves by a sixth of a pixel.
        auto moved = seen;
        for (int y = 1; y + 1 < seen.height(); ++y) {
            for (int x = 1; x + 1 < seen.width(); ++x) {
                const auto here = seen.pixel(x, y), there = seen.pixel(x + by.x(), y + by.y());
                const auto mixed = [](int a, int b) { return (5 * a + b) / 6; };
                moved.setPixel(x, y,
                               qRgb(mixed(qRed(here), qRed(there)),
                                    mixed(qGreen(here), qGreen(there)),
                                    mixed(qBlue(here), qBlue(there))));
            }
        }
        QVERIFY(moved != seen);
        const auto problem = difference(moved, QImage(fileOf(name)));
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
    }
}

void BaselinesTest::wrongPicturesAreRefused_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("damage");
    for (const auto &name : names)
        for (std::size_t i = 0; i < damages.size(); ++i)
            // Seen obliquely, the only text at axes are three letters.
            if (damages[i].second != drawWithoutTextAtAxes || (name != "relief" && name != "dark"))
                QTest::addRow("%s, %s", qPrintable(name), damages[i].first)
                    << name << static_cast<int>(i);
}

void BaselinesTest::wrongPicturesAreRefused()
{
    QFETCH(QString, name);
    QFETCH(int, damage);
    auto of = caseOf(name);
    Picture picture(of);
    picture.draw();
    damages.at(static_cast<std::size_t>(damage)).second(picture, of);
    const auto problem = difference(picture.draw(), QImage(fileOf(name)));
    QVERIFY(!problem.isEmpty());
}

GRIDHELM_TEST(BaselinesTest)
#include "tst_baselines.moc"
