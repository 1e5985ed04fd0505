// SPDX-License-Identifier: GPL-3.0-or-later
//
// Meshes of studies that somebody else made: what VTK could not walk through, or would need more
// memory for than the mesh is worth, is refused with a sentence.
#include "data/mesh/mesh_codec.h"
#include "data/study/image_mesh.h"
#include "data/study/mesh_limits.h"
#include "tests/core/expect_error.h"
#include "tests/data/encoded_meshes.h"
#include "tests/support/test_program.h"

#include <vtkDataSet.h>

#include <QTest>

#include <limits>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

Mesh with(void (*change)(UnstructuredParts &))
{
    auto parts = polyhedraAndOthers();
    change(parts);
    return parts.encoded();
}

/// The bytes from `at` on are a number.
template <typename T>
Mesh withNumber(Mesh mesh, std::size_t at, T value)
{
    std::memcpy(mesh.encoded.data() + at, &value, sizeof value);
    return mesh;
}

} // namespace

class MeshCodecTest : public QObject
{
    Q_OBJECT

private slots:
    void soundMeshesStayAsTheyAre()
    {
        for (const auto &mesh :
             {imageMesh(), rectilinearMesh(), structuredMesh(), polyhedraAndOthers().encoded()}) {
            const auto data = decodeMesh(mesh);
            QCOMPARE(static_cast<std::uint64_t>(data->GetNumberOfCells()), mesh.cells);
            QVERIFY(encodeMesh(*data) == mesh);
            QVERIFY(mesh.encoded.size() <= largestEncodedSize(mesh.kind, mesh.points, mesh.cells));
        }
    }

    void brokenMeshesAreRefused_data()
    {
        QTest::addColumn<Mesh>("mesh");
        constexpr double infinite = std::numeric_limits<double>::infinity();
        const auto add = [](const char *what, const Mesh &mesh) { QTest::newRow(what) << mesh; };
        add("spacing that is denormal", imageMesh("[5,4,3]", "[1e-320,1.0,1.0]"));
        add("spacing of a flat image", [] {
            auto mesh = imageMesh("[5,12,1]", "[1.0,1.0,1e-320]");
            mesh.cells = 44;
            return mesh;
        }());
        add("spacing that overflows", imageMesh("[5,4,3]", "[1e308,1.0,1.0]"));
        add("spacing lost beside the origin", imageMesh("[5,4,3]", "[1e-9,1.0,1.0]", "[1e10,0,0]"));
        add("origin that is too far away", imageMesh("[5,4,3]", "[1.0,1.0,1.0]", "[1e200,0,0]"));
        add("negative points", imageMesh("[-5,-4,3]"));
        add("points that are no integers", imageMesh("[5.5,4,3]"));
        add("points that overflow", imageMesh("[4611686018427387907,4,4]"));
        add("too few numbers", imageMesh("[60,1]"));
        add("long text", [] {
            auto mesh = imageMesh();
            mesh.encoded += std::string(1 << 20, ' ');
            return mesh;
        }());
        add("no points", {"structured", std::string(24, '\0'), 0, 0});
        add("rectilinear infinite", withNumber(rectilinearMesh(), 24, infinite));
        add("rectilinear too far", withNumber(rectilinearMesh(), 32, 1e300));
        add("structured not a number", withNumber(structuredMesh(), 64, std::nan("")));
        add("extent that overflows", [] {
            Mesh mesh{"rectilinear", {}, 0, 0};
            appendTo<std::uint64_t>(mesh.encoded, {1 << 30, 1 << 30, 1 << 30});
            mesh.points = std::uint64_t{1} << 26; // 2^90, cut off
            return mesh;
        }());
        add("extent of other points", withNumber(structuredMesh(), 0, std::uint64_t{6}));
        add("place", with([](auto &m) { m.places[3] = -std::numeric_limits<double>::infinity(); }));
        add("type", with([](auto &m) { m.types[2] = 99; }));
        add("offset that goes back", with([](auto &m) { m.offsets[2] = 3; }));
        add("offset that overruns", with([](auto &m) { m.offsets[9] = 1 << 20; }));
        add("first offset", with([](auto &m) { m.offsets[0] = 1; }));
        add("last offset", with([](auto &m) { --m.offsets.back(); }));
        add("point", with([](auto &m) { m.connectivity[20] = 36; }));
        add("negative point", with([](auto &m) { m.connectivity[20] = -1; }));
        add("no faces", with([](auto &m) { m.faces[0] = 0; }));
        add("negative faces", with([](auto &m) { m.faces[0] = -6; }));
        add("three faces", with([](auto &m) { m.faces[0] = 3; }));
        add("faces that overrun", with([](auto &m) { m.faces[31] = 7; }));
        add("face of two points", with([](auto &m) { m.faces[1] = 2; }));
        add("face of negative points", with([](auto &m) { m.faces[1] = -4; }));
        add("face of huge size",
            with([](auto &m) { m.faces[1] = std::numeric_limits<std::int64_t>::max(); }));
        add("face with a point of another cell", with([](auto &m) { m.faces[2] = 35; }));
        add("faces elsewhere", with([](auto &m) { m.faceLocations[1] = 62; }));
        add("polyhedron without faces", with([](auto &m) { m.faceLocations[1] = -1; }));
    }
    void brokenMeshesAreRefused()
    {
        QFETCH(Mesh, mesh);
        GRIDHELM_EXPECT_ERROR(decodeMesh(mesh));
    }

    void sizesAreBoundedByWhatTheMeshIs()
    {
        QVERIFY(largestEncodedSize("image", 1 << 30, 1 << 30) <= 1 << 16);
        QVERIFY(largestEncodedSize("structured", 1000, 729) < 25'000);
        constexpr auto most = std::numeric_limits<std::uint64_t>::max();
        QCOMPARE(largestEncodedSize("unstructured", most, most), most);
        requireEncodedSize("unstructured", 1000, 900, 100'000);
        GRIDHELM_EXPECT_ERROR(requireEncodedSize("unstructured", 1000, 900, 6'300'000'000));
        GRIDHELM_EXPECT_ERROR(requireEncodedSize("image", 1000, 900, 500'000));
        GRIDHELM_EXPECT_ERROR(requireEncodedSize("unstructured", most, most, most / 2)); // memory
    }

    void fieldsMustBeThoseOfTheMesh()
    {
        const auto mesh = imageMesh();
        const std::vector<Field> right{{"p", "", 1, Association::point, 60},
                                       {"k", "", 3, Association::cell, 24}};
        requireFieldsOnMesh(mesh, right);
        const std::vector<Field> wrong{{"p", "", 1, Association::point, 24}};
        GRIDHELM_EXPECT_ERROR(requireFieldsOnMesh(mesh, wrong));
    }
};

GRIDHELM_TEST(MeshCodecTest)
#include "tst_mesh_codec.moc"
