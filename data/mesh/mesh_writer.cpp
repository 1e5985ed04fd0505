// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/mesh/mesh_writer.h"

#include "core/support/error.h"
#include "data/mesh/mesh_codec.h"
#include "data/mesh/vtk_messages.h"

#include <vtkCell.h>
#include <vtkCellData.h>
#include <vtkFloatArray.h>
#include <vtkGenericCell.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkStaticCellLocator.h>
#include <vtkXMLDataSetWriter.h>

#include <algorithm>
#include <array>

namespace gridhelm::data {

std::string extensionFor(const Mesh &mesh)
{
    if (mesh.kind == "image")
        return ".vti";
    if (mesh.kind == "rectilinear")
        return ".vtr";
    return mesh.kind == "structured" ? ".vts" : ".vtu";
}

vtkSmartPointer<vtkDataSet> dataSetOf(const Mesh &mesh, const std::vector<Field> &fields,
                                      const std::vector<std::vector<float>> &values)
{
    auto data = decodeMesh(mesh);
    for (std::size_t f = 0; f < fields.size(); ++f) {
        const Field &field = fields[f];
        const bool atPoints = field.association == Association::point;
        if (field.entities != (atPoints ? mesh.points : mesh.cells) || field.components < 1
            || values[f].size() != field.values())
            throw Error("The field " + field.name
                        + " has another length than its mesh: the study "
                          "is damaged; restore it from a copy");
        vtkNew<vtkFloatArray> array;
        array->SetName(field.name.c_str());
        array->SetNumberOfComponents(field.components);
        array->SetNumberOfTuples(static_cast<vtkIdType>(field.entities));
        std::copy(values[f].begin(), values[f].end(), array->GetPointer(0));
        if (atPoints)
            data->GetPointData()->AddArray(array);
        else
            data->GetCellData()->AddArray(array);
    }
    return data;
}

void writeDataSet(const std::filesystem::path &path, vtkDataSet &data)
{
    const VtkMessages messages;
    vtkNew<vtkXMLDataSetWriter> writer;
    writer->SetFileName(path.c_str());
    writer->SetInputData(&data);
    writer->SetDataModeToAppended();
    writer->EncodeAppendedDataOff();
    if (writer->Write() == 0 || writer->GetErrorCode() != 0 || !messages.firstError().empty())
        throw Error(path.string() + " could not be written (" + messages.firstError()
                    + "): check that its folder exists, may be written to and has space");
}

Probes probe(vtkDataSet &data, const std::vector<Field> &fields, const std::vector<double> &places)
{
    vtkNew<vtkStaticCellLocator> locator;
    locator->SetDataSet(&data);
    locator->BuildLocator();
    const double tolerance = 1e-6 * data.GetLength();
    vtkNew<vtkGenericCell> cell;
    std::vector<double> weights(static_cast<std::size_t>(std::max(data.GetMaxCellSize(), 8)));
    Probes result;
    result.values.resize(fields.size());
    for (std::size_t i = 0; i + 2 < places.size(); i += 3) {
        std::array<double, 3> x{places[i], places[i + 1], places[i + 2]}, local{};
        vtkIdType id =
            locator->FindCell(x.data(), tolerance * tolerance, cell, local.data(), weights.data());
        if (id < 0) { // on the boundary, but for round-off
            std::array<double, 3> nearest{};
            double distance = 0;
            int part = 0;
            locator->FindClosestPoint(x.data(), nearest.data(), cell, id, part, distance);
            if (id < 0 || distance > tolerance * tolerance)
                throw Error("The place " + std::to_string(x[0]) + "," + std::to_string(x[1]) + ","
                            + std::to_string(x[2]) + " is outside of the mesh; give one inside");
            cell->EvaluatePosition(nearest.data(), nullptr, part, local.data(), distance,
                                   weights.data());
        }
        data.GetCell(id, cell);
        for (std::size_t f = 0; f < fields.size(); ++f) {
            const bool atPoints = fields[f].association == Association::point;
            auto *array = atPoints ? data.GetPointData()->GetArray(fields[f].name.c_str())
                                   : data.GetCellData()->GetArray(fields[f].name.c_str());
            for (int c = 0; c < fields[f].components; ++c) {
                double value = atPoints ? 0 : array->GetComponent(id, c);
                for (vtkIdType p = 0; atPoints && p < cell->GetNumberOfPoints(); ++p)
                    value += weights[static_cast<std::size_t>(p)]
                             * array->GetComponent(cell->PointIds->GetId(p), c);
                result.values[f].push_back(static_cast<float>(value));
            }
        }
    }
    return result;
}

} // namespace gridhelm::data
