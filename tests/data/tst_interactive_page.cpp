// SPDX-License-Identifier: GPL-3.0-or-later
//
// Interactive pages: what they carry, how far that is off, how large they become, and that nothing
// in them runs but the program's own script. What a browser makes of them is tests/python's.
#include "core/support/output_file.h"
#include "data/mesh/mesh_codec.h"
#include "data/mesh/mesh_for_page.h"
#include "data/mesh/page_of_study.h"
#include "data/page/packed_arrays.h"
#include "data/page/page_codes.h"
#include "data/page/page_viewer.h"
#include "tests/core/expect_error.h"
#include "tests/core/on_cpu.h"
#include "tests/data/kinds_of_studies.h"
#include "tests/data/plate_meshes.h"
#include "tests/data/strip_studies.h"
#include "tests/support/test_program.h"

#include <QByteArray>
#include <QCryptographicHash>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <zlib.h>

#include <array>
#include <cmath>
#include <cstring>
#include <numbers>
#include <random>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

std::string inflated(const QByteArray &bytes)
{
    z_stream stream{};
    if (inflateInit2(&stream, -15) != Z_OK)
        return {};
    std::string all;
    std::array<char, 1 << 16> piece{};
    stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    int state = Z_OK;
    while (state == Z_OK) {
        stream.next_out = reinterpret_cast<Bytef *>(piece.data());
        stream.avail_out = piece.size();
        state = inflate(&stream, Z_NO_FLUSH);
        all.append(piece.data(), piece.size() - stream.avail_out);
    }
    inflateEnd(&stream);
    return state == Z_STREAM_END ? all : std::string();
}

/// What PackedArrays has packed, read as viewer/arrays.js does.
struct Unpacked
{
    nlohmann::json header;
    std::string bytes;

    explicit Unpacked(const std::string &base64)
    {
        const auto all = inflated(QByteArray::fromBase64(QByteArray::fromStdString(base64)));
        std::uint32_t length = 0;
        if (all.size() < sizeof length)
            return;
        std::memcpy(&length, all.data(), sizeof length);
        header = nlohmann::json::parse(all.substr(sizeof length, length));
        bytes = all.substr(sizeof length + length);
    }

    template <typename Number>
    std::vector<Number> numbers(const nlohmann::json &packed) const
    {
        const std::size_t at = packed["at"], count = packed["count"], width = packed["bytes"];
        std::vector<Number> numbers(count);
        for (std::size_t i = 0; i < count; ++i) {
            std::array<char, sizeof(Number)> of{};
            for (std::size_t plane = 0; plane < width; ++plane)
                of.at(plane) = bytes.at(at + plane * count + i);
            std::memcpy(&numbers[i], of.data(), sizeof(Number));
        }
        return numbers;
    }

    std::vector<std::int32_t> integers(const nlohmann::json &packed) const
    {
        auto codes = numbers<std::uint32_t>(packed);
        for (auto &code : codes)
            code = (code >> 1U) ^ (code & 1U ? ~std::uint32_t{0} : 0U);
        const std::vector<std::size_t> backs = packed["backs"];
        for (auto back = backs.rbegin(); back != backs.rend(); ++back)
            for (std::size_t i = *back; i < codes.size(); ++i)
                codes[i] += codes[i - *back];
        return {codes.begin(), codes.end()};
    }
};

Unpacked unpacked(const std::string &html)
{
    const std::string begin = R"(id="data">)";
    const auto at = html.find(begin) + begin.size();
    return Unpacked(html.substr(at, html.find("</script>", at) - at));
}

PageQuestion questionOn(int threads)
{
    PageQuestion question;
    question.options.context = onCpu(threads);
    return question;
}

/// A field that bends with its two parameters, on a square of 21 x 21 nodes, at 0 and 1e6.
void makeWaves(const std::filesystem::path &path, double offset = 0)
{
    Parameter a{"a", "", 0, 1}, b{"b", "m", 1, 100};
    b.scale = ParameterScale::logarithmic;
    a.treatment = b.treatment = sparse::BoundaryTreatment::clenshawCurtis;
    a.degree = b.degree = 3;
    auto study = StudyWriter::create(
        path, {"waves", StudyKind::vector, ParameterSpace(std::vector{a, b}), 5, ""});
    constexpr std::uint64_t side = 21;
    study.setMesh(encodeImageMesh({{side, side, 1}, {0, 0, 0}, {0.05, 0.05, 1}}));
    Field field{"u", "K", 2, Association::point, side * side};
    field.offset = offset;
    study.addField(field);
    for (const auto &job : study.jobs()) {
        study.startJob(job.id);
        auto transaction = study.transaction();
        for (const auto point : job.points) {
            const auto x = coordinatesOf(study, point);
            std::vector<float> values;
            for (std::uint64_t i = 0; i < side * side; ++i) {
                const auto column = i % side, row = i / side;
                const double u = 0.05 * static_cast<double>(column);
                const double v = 0.05 * static_cast<double>(row);
                values.push_back(static_cast<float>(std::sin(3 * u + 2 * x[0]) * (1 + x[1] * v)));
                values.push_back(static_cast<float>(std::exp(-x[1] * u) * x[0] + v));
            }
            study.putSnapshot(point, 0, values);
        }
        study.finishJob(job.id, "");
        transaction.commit();
    }
    compress(study, {});
    study.close();
}

double areaOf(const PageMesh &mesh)
{
    double area = 0;
    for (std::size_t t = 0; t + 2 < mesh.triangles.size(); t += 3) {
        std::array<std::array<double, 3>, 2> sides{};
        for (std::size_t k = 0; k < 2; ++k)
            for (std::size_t axis = 0; axis < 3; ++axis)
                sides.at(k).at(axis) = mesh.places[3 * mesh.triangles[t + k + 1] + axis]
                                       - mesh.places[3 * mesh.triangles[t] + axis];
        const auto &[p, q] = sides;
        area += 0.5
                * std::hypot(p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2],
                             p[0] * q[1] - p[1] * q[0]);
    }
    return area;
}

double volumeOf(const PageMesh &mesh)
{
    double volume = 0;
    for (std::size_t t = 0; t + 3 < mesh.tetrahedra.size(); t += 4) {
        std::array<std::array<double, 3>, 3> s{};
        for (std::size_t k = 0; k < 3; ++k)
            for (std::size_t axis = 0; axis < 3; ++axis)
                s.at(k).at(axis) = mesh.places[3 * mesh.tetrahedra[t + k + 1] + axis]
                                   - mesh.places[3 * mesh.tetrahedra[t] + axis];
        volume += std::abs(s[0][0] * (s[1][1] * s[2][2] - s[1][2] * s[2][1])
                           - s[0][1] * (s[1][0] * s[2][2] - s[1][2] * s[2][0])
                           + s[0][2] * (s[1][0] * s[2][1] - s[1][1] * s[2][0]))
                  / 6;
    }
    return volume;
}

} // namespace

class InteractivePageTest : public QObject
{
    Q_OBJECT

private slots:
    void packedNumbersComeBack();
    void codesAreWithinWhatIsAllowed();
    void offsetsLoseNothing();
    void pagesOfAllKindsAreWhole_data();
    void pagesOfAllKindsAreWhole();
    void aPageIsNoPlaceForAStrangersScript();
    void aPageIsAsSmallAsItIsToBe();
    void solidsAreCutAndGridsThinned();
    void bodiesThatMoveAreFields();
    void holesDoNotCount();
    void aStopIsFollowed();
    void onlyPagesAreReplaced();
};

void InteractivePageTest::packedNumbersComeBack()
{
    std::mt19937 random(1);
    std::vector<std::int32_t> walk{0}, wild;
    for (int i = 0; i < 500; ++i) {
        walk.push_back(walk.back() + static_cast<std::int32_t>(random() % 7) - 3);
        wild.push_back(static_cast<std::int32_t>(random()));
    }
    wild.push_back(std::numeric_limits<std::int32_t>::min());
    const std::vector<double> doubles{0, -1.5, 1e-300, std::numbers::pi};
    const std::vector<float> floats{0, 1.25F, -3e30F};
    const std::vector<PackedArrays::Backs> choices{{1}, {20}, {1, 20}};
    PackedArrays arrays;
    nlohmann::json header;
    header["walk"] = arrays.add(walk, choices);
    header["wild"] = arrays.add(wild, choices);
    header["none"] = arrays.add(std::vector<std::int32_t>(), choices);
    header["doubles"] = arrays.add(doubles);
    header["floats"] = arrays.add(floats);
    QVERIFY(header["walk"]["bytes"] == 1); // differences are small, though values are not
    const Unpacked back(arrays.packed(header));
    QCOMPARE(back.integers(back.header["walk"]), walk);
    QCOMPARE(back.integers(back.header["wild"]), wild);
    QVERIFY(back.integers(back.header["none"]).empty());
    QCOMPARE(back.numbers<double>(back.header["doubles"]), doubles);
    QCOMPARE(back.numbers<float>(back.header["floats"]), floats);
}

/// Beside the study's own values, at other places than those that the codes were chosen by.
void InteractivePageTest::codesAreWithinWhatIsAllowed()
{
    const Folder folder;
    makeWaves(folder / "s");
    StudyFields fields(Study::open(folder / "s"), sparse::makeOmpBackend(onCpu(2)));
    std::vector<std::uint32_t> nodes;
    for (std::uint32_t i = 0; i < 441; i += 3)
        nodes.push_back(i);
    std::mt19937 random(2);
    std::uniform_real_distribution<double> inside(0, 1);
    PageRowsOptions how;
    how.context = onCpu(2);
    for (int i = 0; i < 200; ++i)
        how.places.push_back({inside(random), inside(random)});
    std::size_t before = 0;
    for (const double allowed : {0.1, 1e-2, 1e-3, 1e-5}) {
        how.error = allowed;
        const auto rows = pageRows(fields, 0, nodes, how);
        const auto codes =
            pageCodes(rows, fields.fields()[0], allowed, {how.places, {}, how.context.cpu()});
        QVERIFY2(codes.relativeL2 <= allowed, qPrintable(QString::number(codes.relativeL2)));
        QVERIFY(codes.relativeL2 > 0.1 * allowed); // or digits are wasted
        std::size_t bits = 0;
        for (const auto &row : codes.codes)
            for (const auto code : row)
                bits += static_cast<std::size_t>(std::log2(1.0 + std::abs(code)));
        QVERIFY(bits > before);
        before = bits;
        for (int i = 0; i < 20; ++i) {
            const std::vector<double> x{inside(random), inside(random)};
            const auto coefficients = coefficientsAt(*codes.surrogate, {x}, how.context.cpu());
            std::vector<float> whole(882);
            fields.evaluate(0, fields.parameters().fromUnit(x), {whole});
            double error = 0, norm = 0;
            for (std::size_t n = 0; n < nodes.size(); ++n)
                for (std::size_t c = 0; c < 2; ++c) {
                    double sum = 0;
                    for (std::size_t k = 0; k < codes.rows.size(); ++k)
                        sum += coefficients[codes.rows[k]] * codes.steps[k]
                               * codes.codes[k][2 * n + c];
                    const double truth = double{whole[2 * nodes[n] + c]};
                    error += (sum - truth) * (sum - truth);
                    norm += truth * truth;
                }
            QVERIFY2(std::sqrt(error / norm) < 1.5 * allowed,
                     qPrintable(QString::number(std::sqrt(error / norm))));
        }
    }
}

/// What varies by 1 about a million keeps its digits, in ranges, too.
void InteractivePageTest::offsetsLoseNothing()
{
    const Folder folder;
    makeWaves(folder / "s", 1e6);
    auto question = questionOn(2);
    question.options.error = 1e-4;
    const auto page = pageOfStudy(folder / "s", question);
    const auto header = unpacked(page.html).header;
    const auto &field = header["fields"][0];
    QVERIFY(field["offset"] == 1e6);
    const double low = field["ranges"][0][0], high = field["ranges"][0][1];
    QVERIFY(low > 1e6 - 2.1 && low < 1e6 && high > 1e6 + 1 && high < 1e6 + 2.1);
    QVERIFY(page.fields[0].largest < 1e-3);
}

void InteractivePageTest::pagesOfAllKindsAreWhole_data()
{
    QTest::addColumn<QByteArray>("kind");
    for (const auto kind : kindsOfStudies)
        QTest::newRow(kind) << QByteArray(kind);
}

void InteractivePageTest::pagesOfAllKindsAreWhole()
{
    QFETCH(const QByteArray, kind);
    const Folder folder;
    makeStudyOfKind(folder / "s", kind.toStdString());
    const auto page = pageOfStudy(folder / "s", questionOn(2));
    const auto whole = unpacked(page.html);
    const auto study = Study::open(folder / "s");
    const auto space = answerSpace(study);
    QCOMPARE(whole.header["parameters"].size(), space.parameters().size());
    for (std::size_t t = 0; t < space.parameters().size(); ++t) {
        QVERIFY(whole.header["parameters"][t]["name"] == space[t].name);
        QVERIFY(!whole.header["parameters"][t]["marks"].empty());
    }
    // Each array is inside of the bytes, and has as many numbers as it says.
    std::size_t end = 0;
    const std::function<void(const nlohmann::json &)> visit = [&](const nlohmann::json &of) {
        if (of.is_object() && of.contains("at") && of.contains("bytes"))
            end = std::max(end,
                           of["at"].get<std::size_t>()
                               + of["count"].get<std::size_t>() * of["bytes"].get<std::size_t>());
        for (const auto &part : of)
            if (part.is_structured())
                visit(part);
    };
    visit(whole.header);
    QCOMPARE(end, whole.bytes.size());
    if (whole.header["mesh"].is_null()) {
        QVERIFY(kind == "scattered" || kind == "scalar"); // of numbers without space
        QVERIFY(!whole.header["responses"].empty());
        return;
    }
    QCOMPARE(whole.header["fields"].size(), study.fields().size());
    const auto count = whole.header["mesh"]["count"].get<std::size_t>();
    for (std::size_t f = 0; f < study.fields().size(); ++f) {
        const auto &field = whole.header["fields"][f];
        QVERIFY(field["name"] == study.fields()[f].name);
        QVERIFY(field["cells"].get<bool>() || field["entities"].get<std::size_t>() == count);
        QCOMPARE(field["codes"].size(), page.fields[f].modes);
        QVERIFY(field["surrogate"]["outputs"] == page.fields[f].modes);
        QVERIFY(page.fields[f].relativeL2 < 0.3);
    }
}

/// Titles, names and units may be anybody's.
void InteractivePageTest::aPageIsNoPlaceForAStrangersScript()
{
    const Folder folder;
    const std::string evil = "</script><script>alert(1)</script><img src=x onerror=alert(1)>";
    {
        auto description = smallDescription(2);
        description.title = evil;
        description.simulation = evil;
        auto study = StudyWriter::create(folder / "s", description);
        setLine(study, 4);
        study.addField({evil, evil, 1, Association::point, 4});
        runAllJobs(study);
        compress(study, {});
        study.close();
    }
    const auto page = pageOfStudy(folder / "s", questionOn(1));
    for (const auto *mark : {"alert(1)</", "<img", "onerror=alert(1)>"})
        QVERIFY2(page.html.find(mark) == std::string::npos
                     || page.html.find(mark) == std::string(pageScript).find(mark),
                 mark);
    const auto header = unpacked(page.html).header;
    QVERIFY(header["title"] == evil);
    QVERIFY(header["fields"][0]["name"] == evil);
    // What runs is this script, and nothing is loaded.
    const auto hash = QCryptographicHash::hash(
        QByteArray(pageScript.data(), static_cast<qsizetype>(pageScript.size())),
        QCryptographicHash::Sha256);
    const auto policy =
        "default-src 'none'; script-src 'sha256-" + hash.toBase64().toStdString() + "'; ";
    QVERIFY(page.html.find(policy) != std::string::npos);
    QCOMPARE(page.html.find("unsafe-inline"), std::string::npos);
    QVERIFY(pageScript.find("innerHTML") == std::string_view::npos);
    QVERIFY(pageScript.find("</script") == std::string_view::npos);
}

void InteractivePageTest::aPageIsAsSmallAsItIsToBe()
{
    const Folder folder;
    makeWaves(folder / "s");
    auto question = questionOn(2);
    question.options.error = 1e-6;
    const auto large = pageOfStudy(folder / "s", question);
    question.options.mostBytes = large.html.size() - 2000;
    const auto small = pageOfStudy(folder / "s", question);
    QVERIFY(small.html.size() <= *question.options.mostBytes);
    QVERIFY(small.fields[0].relativeL2 > large.fields[0].relativeL2);
    QCOMPARE(small.points, large.points);
    // The script alone is larger.
    question.options.mostBytes = 20000;
    QVERIFY(isRefused([&] { pageOfStudy(folder / "s", question); }, "the smallest page"));
}

void InteractivePageTest::solidsAreCutAndGridsThinned()
{
    const auto plate = decodeMesh(plateWithHole(0.3, 48, 12));
    const auto flat = pageMesh(*plate, 100000);
    QVERIFY(flat.isFlat && flat.tetrahedra.empty() && flat.reduction.empty());
    QCOMPARE(flat.points.size(), static_cast<std::size_t>(plate->GetNumberOfPoints()));
    const auto coarse = pageMesh(*plate, 150);
    QVERIFY(coarse.points.size() <= 150 && coarse.points.size() > 40);
    QVERIFY(!coarse.reduction.empty());
    QVERIFY(std::abs(areaOf(coarse) - areaOf(flat)) < 0.2 * areaOf(flat));
    for (const auto corner : coarse.triangles)
        QVERIFY(corner < coarse.points.size());

    // A box of 3 x 4 x 5 cells, as a grid and as hexahedra.
    const auto image = decodeMesh(encodeImageMesh({{4, 5, 6}, {0, 0, 0}, {1, 1, 1}}));
    const auto grid = pageMesh(*image, 100000);
    QVERIFY(grid.grid && !grid.isFlat && grid.tetrahedra.empty());
    QCOMPARE(areaOf(grid), 2.0 * (3 * 4 + 4 * 5 + 3 * 5));
    const auto thin = pageMesh(*image, 60);
    QVERIFY(thin.points.size() <= 60);
    QCOMPARE(areaOf(thin), areaOf(grid)); // its ends are kept
    QVERIFY(!thin.reduction.empty());
    vtkNew<vtkUnstructuredGrid> hexahedra;
    vtkNew<vtkPoints> points;
    for (vtkIdType i = 0; i < image->GetNumberOfPoints(); ++i)
        points->InsertNextPoint(image->GetPoint(i));
    hexahedra->SetPoints(points);
    for (vtkIdType c = 0; c < image->GetNumberOfCells(); ++c) {
        vtkNew<vtkIdList> corners;
        image->GetCellPoints(c, corners); // of voxels
        const std::array<vtkIdType, 8> order{0, 1, 3, 2, 4, 5, 7, 6};
        std::array<vtkIdType, 8> of{};
        for (std::size_t k = 0; k < 8; ++k)
            of.at(k) = corners->GetId(order.at(k));
        hexahedra->InsertNextCell(VTK_HEXAHEDRON, 8, of.data());
    }
    const auto solid = pageMesh(*hexahedra, 100000);
    QCOMPARE(areaOf(solid), areaOf(grid));
    QVERIFY(std::abs(volumeOf(solid) - 60) < 1e-9);
    const auto surface = pageMesh(*hexahedra, 112); // 120 points, 108 of them outside
    QVERIFY(surface.tetrahedra.empty() && !surface.reduction.empty());
    QCOMPARE(areaOf(surface), areaOf(grid));
}

void InteractivePageTest::bodiesThatMoveAreFields()
{
    const Folder folder;
    {
        auto study = stripStudy(
            folder / "s", [](double) { return alongX([](double x) { return x; }); },
            {std::string(displacementField), "", 3, Association::point, 2 * stripNodes},
            [](double a) { return alongX([a](double x) { return a * x; }, 3); }, 0);
        study.close();
    }
    auto question = questionOn(1);
    question.fields = {"u"};
    const auto header = unpacked(pageOfStudy(folder / "s", question).html).header;
    QCOMPARE(header["fields"].size(), std::size_t{2}); // where it is comes with it
    QVERIFY(header["displacement"] == 1);
    QVERIFY(header["distance"] == -1);
}

/// u is 2 where the body is, and a million elsewhere.
void InteractivePageTest::holesDoNotCount()
{
    const Folder folder;
    {
        auto study = stripStudy(
            folder / "s",
            [](double a) {
                return alongX([a](double x) { return x <= 0.55 + 0.4 * a ? 2 : 1e6; });
            },
            {std::string(distanceField), "", 1, Association::point, 2 * stripNodes},
            [](double a) { return alongX([a](double x) { return 0.55 + 0.4 * a - x; }); }, 0);
        study.close();
    }
    auto question = questionOn(1);
    question.options.error = 1e-5;
    const auto header = unpacked(pageOfStudy(folder / "s", question).html).header;
    const auto &u = header["fields"][0];
    QVERIFY(u["judged"] == false);
    const double low = u["ranges"][0][0];
    QVERIFY2(low > -1e6 && low <= 2.001, qPrintable(QString::number(low)));
    QVERIFY(header["fields"][1]["judged"] == true);
    QVERIFY(header["distance"] == 1);
}

void InteractivePageTest::aStopIsFollowed()
{
    const Folder folder;
    makeWaves(folder / "s");
    std::stop_source source;
    source.request_stop();
    auto question = questionOn(1);
    question.options.stop = source.get_token();
    QVERIFY(isRefused([&] { pageOfStudy(folder / "s", question); }, "taken back"));
}

void InteractivePageTest::onlyPagesAreReplaced()
{
    const Folder folder;
    makeWaves(folder / "s");
    QVERIFY(
        isRefused([&] { requirePageFile(folder / "s"); }, "is there, and is no interactive page"));
    writeTextFile(folder / "p.html", pageOfStudy(folder / "s", questionOn(1)).html);
    requirePageFile(folder / "p.html");
    requirePageFile(folder / "new.html");
}

GRIDHELM_TEST(InteractivePageTest)
#include "tst_interactive_page.moc"
