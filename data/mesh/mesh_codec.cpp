// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/mesh/mesh_codec.h"

#include "core/support/checked_math.h"
#include "core/support/error.h"
#include "data/mesh/cell_list.h"
#include "data/study/image_mesh.h"
#include "data/study/mesh_limits.h"

#include <vtkAppendFilter.h>
#include <vtkCellArray.h>
#include <vtkCellTypes.h>
#include <vtkDoubleArray.h>
#include <vtkIdTypeArray.h>
#include <vtkImageData.h>
#include <vtkMatrix3x3.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkRectilinearGrid.h>
#include <vtkStructuredGrid.h>
#include <vtkUnsignedCharArray.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

namespace gridhelm::data {
namespace {

static_assert(sizeof(vtkIdType) == 8, "indices are stored as 64-bit integers");

template <typename T>
void append(std::string &bytes, const T *values, std::size_t count)
{
    bytes.append(reinterpret_cast<const char *>(values), count * sizeof(T));
}

[[noreturn]] void throwDamaged()
{
    throw Error("The description of the mesh in the study is damaged; restore the file from a "
                "copy");
}

/// Takes values off the front of the bytes.
class Bytes
{
public:
    explicit Bytes(const std::string &bytes)
        : m_bytes(bytes)
    {
    }

    template <typename T>
    void take(T *values, std::uint64_t count)
    {
        if (count > (m_bytes.size() - m_at) / sizeof(T))
            throwDamaged();
        if (count > 0)
            std::memcpy(values, m_bytes.data() + m_at, count * sizeof(T));
        m_at += count * sizeof(T);
    }
    /// To be asked before memory for them is allocated.
    void require(std::uint64_t count, std::size_t size) const
    {
        if (count > (m_bytes.size() - m_at) / size)
            throwDamaged();
    }
    void requireEnd() const
    {
        if (m_at != m_bytes.size())
            throwDamaged();
    }

private:
    const std::string &m_bytes;
    std::size_t m_at = 0;
};

void requireCoordinates(const double *values, std::size_t count)
{
    if (!std::all_of(values, values + count, isSoundCoordinate))
        throw Error(
            "The mesh has a coordinate that is not a number between -1e30 and 1e30; write the "
            "file again, in another unit of length if need be");
}

void appendPoints(std::string &bytes, vtkPoints *points, vtkIdType count)
{
    for (vtkIdType i = 0; i < count; ++i) {
        std::array<double, 3> x;
        points->GetPoint(i, x.data());
        for (double &value : x)
            value += 0.0; // -0 and 0 are the same place
        requireCoordinates(x.data(), 3);
        append(bytes, x.data(), 3);
    }
}

vtkSmartPointer<vtkPoints> takePoints(Bytes &bytes, std::uint64_t count)
{
    bytes.require(count, 3 * sizeof(double));
    vtkNew<vtkDoubleArray> coordinates;
    coordinates->SetNumberOfComponents(3);
    coordinates->SetNumberOfTuples(static_cast<vtkIdType>(count));
    bytes.take(coordinates->GetPointer(0), 3 * count);
    requireCoordinates(coordinates->GetPointer(0), 3 * count);
    auto points = vtkSmartPointer<vtkPoints>::New();
    points->SetData(coordinates);
    return points;
}

/// Of VTK's Lagrange cells of first or second order the plain cells with the same points in the
/// same order, and so the same functions; other types stay as they are.
unsigned char plainType(int type, vtkIdType points)
{
    struct Known
    {
        int lagrange;
        vtkIdType points;
        int plain;
    };
    constexpr std::array known{
        Known{VTK_LAGRANGE_CURVE, 2, VTK_LINE},
        Known{VTK_LAGRANGE_CURVE, 3, VTK_QUADRATIC_EDGE},
        Known{VTK_LAGRANGE_TRIANGLE, 3, VTK_TRIANGLE},
        Known{VTK_LAGRANGE_TRIANGLE, 6, VTK_QUADRATIC_TRIANGLE},
        Known{VTK_LAGRANGE_QUADRILATERAL, 4, VTK_QUAD},
        Known{VTK_LAGRANGE_QUADRILATERAL, 9, VTK_BIQUADRATIC_QUAD},
        Known{VTK_LAGRANGE_TETRAHEDRON, 4, VTK_TETRA},
        Known{VTK_LAGRANGE_TETRAHEDRON, 10, VTK_QUADRATIC_TETRA},
        Known{VTK_LAGRANGE_HEXAHEDRON, 8, VTK_HEXAHEDRON},
        Known{VTK_LAGRANGE_HEXAHEDRON, 27, VTK_TRIQUADRATIC_HEXAHEDRON},
        Known{VTK_LAGRANGE_WEDGE, 6, VTK_WEDGE},
    };
    for (const auto &cell : known)
        if (cell.lagrange == type && cell.points == points)
            return static_cast<unsigned char>(cell.plain);
    return static_cast<unsigned char>(type);
}

CellList cellsOf(vtkUnstructuredGrid &grid)
{
    CellList cells;
    const vtkIdType count = grid.GetNumberOfCells();
    vtkCellArray *array = grid.GetCells();
    if (count == 0)
        return cells;
    if (!array || array->GetNumberOfCells() != count || !array->IsValid())
        throw Error("The mesh has a cell that is out of the list of points; write the file again");
    for (vtkIdType c = 0; c < count; ++c) {
        vtkIdType n = 0;
        const vtkIdType *points = nullptr;
        array->GetCellAtId(c, n, points);
        cells.types.push_back(plainType(grid.GetCellType(c), n));
        cells.connectivity.insert(cells.connectivity.end(), points, points + n);
        cells.offsets.push_back(static_cast<vtkIdType>(cells.connectivity.size()));
    }
    if (grid.GetFaces() && grid.GetFaceLocations()
        && grid.GetFaceLocations()->GetNumberOfValues() == count) {
        const auto *locations = grid.GetFaceLocations()->GetPointer(0);
        const auto *faces = grid.GetFaces()->GetPointer(0);
        cells.faceLocations.assign(locations, locations + count);
        cells.faces.assign(faces, faces + grid.GetFaces()->GetNumberOfValues());
    }
    return cells;
}

CellList soundCellsOf(vtkUnstructuredGrid &grid)
{
    auto cells = cellsOf(grid);
    if (const auto problem = problemOf(cells, *grid.GetPoints()); !problem.empty())
        throw Error("The mesh has " + problem + "; write the file again");
    return cells;
}

Mesh encodeUnstructured(vtkUnstructuredGrid &grid)
{
    const vtkIdType points = grid.GetNumberOfPoints();
    const CellList cells = soundCellsOf(grid);
    Mesh mesh{"unstructured", {}, static_cast<std::uint64_t>(points), cells.types.size()};
    const std::array<std::uint64_t, 4> head{mesh.points, mesh.cells, cells.connectivity.size(),
                                            cells.faces.size()};
    append(mesh.encoded, head.data(), 4);
    appendPoints(mesh.encoded, grid.GetPoints(), points);
    append(mesh.encoded, cells.types.data(), cells.types.size());
    append(mesh.encoded, cells.offsets.data(), cells.offsets.size());
    append(mesh.encoded, cells.connectivity.data(), cells.connectivity.size());
    if (!cells.faces.empty()) {
        append(mesh.encoded, cells.faceLocations.data(), cells.faceLocations.size());
        append(mesh.encoded, cells.faces.data(), cells.faces.size());
    }
    if (mesh.encoded.size() > largestEncodedSize(mesh.kind, mesh.points, mesh.cells))
        throw Error("The cells of the mesh have more corners than a study takes (16 for each point "
                    "and 256 for each cell); write simpler cells");
    return mesh;
}

vtkSmartPointer<vtkDataSet> decodeUnstructured(const Mesh &mesh)
{
    Bytes bytes(mesh.encoded);
    std::array<std::uint64_t, 4> head{};
    bytes.take(head.data(), 4);
    if (head[0] != mesh.points || head[1] != mesh.cells)
        throwDamaged();
    auto points = takePoints(bytes, head[0]);
    CellList cells;
    const auto read = [&bytes](auto &list, std::uint64_t count) {
        bytes.require(count, sizeof(list[0]));
        list.resize(count);
        bytes.take(list.data(), count);
    };
    read(cells.types, head[1]);
    read(cells.offsets, head[1] + 1);
    read(cells.connectivity, head[2]);
    if (head[3] > 0) {
        read(cells.faceLocations, head[1]);
        read(cells.faces, head[3]);
    }
    bytes.requireEnd();
    if (!problemOf(cells, *points).empty())
        throwDamaged();
    // Nobody has looked at these, and nobody shall.
    for (std::size_t c = 0; c < cells.faceLocations.size(); ++c)
        if (cells.types[c] != VTK_POLYHEDRON)
            cells.faceLocations[c] = -1;

    const auto array = [](const auto &list, auto *into) {
        into->SetNumberOfValues(static_cast<vtkIdType>(list.size()));
        if (!list.empty())
            std::memcpy(into->GetPointer(0), list.data(), list.size() * sizeof(list[0]));
    };
    vtkNew<vtkIdTypeArray> offsets, connectivity;
    vtkNew<vtkUnsignedCharArray> types;
    array(cells.offsets, offsets.Get());
    array(cells.connectivity, connectivity.Get());
    array(cells.types, types.Get());
    vtkNew<vtkCellArray> cellArray;
    cellArray->SetData(offsets, connectivity);
    auto grid = vtkSmartPointer<vtkUnstructuredGrid>::New();
    grid->SetPoints(points);
    if (cells.faces.empty()) {
        grid->SetCells(types, cellArray);
    } else {
        vtkNew<vtkIdTypeArray> locations, faces;
        array(cells.faceLocations, locations.Get());
        array(cells.faces, faces.Get());
        grid->SetCells(types, cellArray, locations, faces);
    }
    return grid;
}

std::array<std::uint64_t, 3> extentOf(const int *dimensions)
{
    std::array<std::uint64_t, 3> points;
    for (std::size_t t = 0; t < 3; ++t)
        points[t] = static_cast<std::uint64_t>(dimensions[t]);
    return points;
}

/// The number of points in each direction, checked.
std::array<int, 3> takeExtent(Bytes &bytes, const Mesh &mesh)
{
    std::array<std::uint64_t, 3> points;
    bytes.take(points.data(), 3);
    std::uint64_t all = 1, cells = 1;
    std::array<int, 3> extent;
    for (std::size_t t = 0; t < 3; ++t) {
        if (points[t] == 0 || points[t] > std::uint64_t{1} << 30)
            throwDamaged();
        extent[t] = static_cast<int>(points[t]);
        all = checkedMultiply(all, points[t]);
        cells = checkedMultiply(cells, points[t] > 1 ? points[t] - 1 : 1);
    }
    if (all != mesh.points || cells != mesh.cells)
        throwDamaged();
    return extent;
}

vtkSmartPointer<vtkUnstructuredGrid> asUnstructured(vtkDataSet &data)
{
    vtkNew<vtkAppendFilter> filter;
    filter->AddInputData(&data);
    filter->Update();
    return filter->GetOutput();
}

} // namespace

Mesh encodeMesh(vtkDataSet &data)
{
    const auto points = static_cast<std::uint64_t>(data.GetNumberOfPoints());
    const auto cells = static_cast<std::uint64_t>(data.GetNumberOfCells());
    if (points == 0)
        throw Error("The mesh has no points; check that the simulation has written its results");
    if (auto *image = vtkImageData::SafeDownCast(&data);
        image && image->GetDirectionMatrix()->IsIdentity()) {
        ImageMesh plain;
        std::array<int, 6> extent;
        image->GetExtent(extent.data());
        for (std::size_t t = 0; t < 3; ++t) {
            plain.points[t] = static_cast<std::size_t>(image->GetDimensions()[t]);
            plain.spacing[t] = plain.points[t] > 1 ? image->GetSpacing()[t] : 1;
            plain.origin[t] = image->GetOrigin()[t] + image->GetSpacing()[t] * extent[2 * t] + 0.0;
            if (!isSoundAxis(plain.origin[t], plain.spacing[t], plain.points[t]))
                throw Error("The image has a spacing that is not positive, or too small or too "
                            "large for its position (1e-30 to 1e30); write the file again");
        }
        return encodeImageMesh(plain);
    }
    if (auto *grid = vtkRectilinearGrid::SafeDownCast(&data)) {
        Mesh mesh{"rectilinear", {}, points, cells};
        const auto extent = extentOf(grid->GetDimensions());
        append(mesh.encoded, extent.data(), 3);
        vtkDataArray *axes[] = {grid->GetXCoordinates(), grid->GetYCoordinates(),
                                grid->GetZCoordinates()};
        for (std::size_t t = 0; t < 3; ++t) {
            if (!axes[t] || static_cast<std::uint64_t>(axes[t]->GetNumberOfTuples()) != extent[t])
                throw Error("The rectilinear mesh has a wrong number of coordinates; write the "
                            "file again");
            for (std::uint64_t i = 0; i < extent[t]; ++i) {
                const double x = axes[t]->GetComponent(static_cast<vtkIdType>(i), 0) + 0.0;
                requireCoordinates(&x, 1);
                append(mesh.encoded, &x, 1);
            }
        }
        return mesh;
    }
    if (auto *grid = vtkStructuredGrid::SafeDownCast(&data)) {
        Mesh mesh{"structured", {}, points, cells};
        int dimensions[3];
        grid->GetDimensions(dimensions);
        const auto extent = extentOf(dimensions);
        if (extent[0] * extent[1] * extent[2] != points)
            throw Error("The structured mesh has a wrong number of points; write the file again");
        append(mesh.encoded, extent.data(), 3);
        appendPoints(mesh.encoded, grid->GetPoints(), static_cast<vtkIdType>(points));
        return mesh;
    }
    if (auto *grid = vtkUnstructuredGrid::SafeDownCast(&data))
        return encodeUnstructured(*grid);
    return encodeUnstructured(*asUnstructured(data));
}

void requireSoundMesh(vtkDataSet &data)
{
    if (auto *grid = vtkUnstructuredGrid::SafeDownCast(&data))
        soundCellsOf(*grid);
    else if (data.IsA("vtkPolyData"))
        soundCellsOf(*asUnstructured(data));
    else
        encodeMesh(data); // has no cells to speak of
}

vtkSmartPointer<vtkDataSet> decodeMesh(const Mesh &mesh)
{
    if (mesh.points == 0)
        throwDamaged();
    if (mesh.kind == "image") {
        const ImageMesh plain = decodeImageMesh(mesh);
        auto image = vtkSmartPointer<vtkImageData>::New();
        image->SetDimensions(narrow<int>(plain.points[0]), narrow<int>(plain.points[1]),
                             narrow<int>(plain.points[2]));
        image->SetOrigin(plain.origin.data());
        image->SetSpacing(plain.spacing.data());
        return image;
    }
    if (mesh.kind == "unstructured")
        return decodeUnstructured(mesh);
    if (mesh.kind != "rectilinear" && mesh.kind != "structured")
        throw Error("The mesh is of kind '" + mesh.kind
                    + "', which this version does not know; use a newer version");
    Bytes bytes(mesh.encoded);
    const auto extent = takeExtent(bytes, mesh);
    if (mesh.kind == "structured") {
        auto grid = vtkSmartPointer<vtkStructuredGrid>::New();
        grid->SetDimensions(extent.data());
        grid->SetPoints(takePoints(bytes, mesh.points));
        bytes.requireEnd();
        return grid;
    }
    auto grid = vtkSmartPointer<vtkRectilinearGrid>::New();
    grid->SetDimensions(extent.data());
    for (std::size_t t = 0; t < 3; ++t) {
        const auto count = static_cast<std::uint64_t>(extent[t]);
        bytes.require(count, sizeof(double));
        vtkNew<vtkDoubleArray> axis;
        axis->SetNumberOfValues(extent[t]);
        bytes.take(axis->GetPointer(0), count);
        requireCoordinates(axis->GetPointer(0), count);
        if (t == 0)
            grid->SetXCoordinates(axis);
        else if (t == 1)
            grid->SetYCoordinates(axis);
        else
            grid->SetZCoordinates(axis);
    }
    bytes.requireEnd();
    return grid;
}

} // namespace gridhelm::data
