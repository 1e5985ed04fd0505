// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/mesh/mesh_writer.h"

#include "core/support/clean_text.h"
#include "core/support/error.h"
#include "data/mesh/mesh_codec.h"
#include "data/mesh/vtk_messages.h"

#include <vtkAbstractArray.h>
#include <vtkCellData.h>
#include <vtkDoubleArray.h>
#include <vtkErrorCode.h>
#include <vtkFieldData.h>
#include <vtkFloatArray.h>
#include <vtkInformation.h>
#include <vtkInformationStringKey.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkUnsignedCharArray.h>
#include <vtkXMLDataSetWriter.h>

#include <algorithm>
#include <utility>

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
    for (std::size_t f = 0; f < fields.size(); ++f)
        setField(*data, fields[f], values[f]);
    return data;
}

namespace {

template <typename Array, typename Value>
vtkSmartPointer<vtkDataArray> arrayOf(std::span<const float> stored, int components, Value value)
{
    const auto array = vtkSmartPointer<Array>::New();
    array->SetNumberOfComponents(components);
    array->SetNumberOfTuples(static_cast<vtkIdType>(stored.size())
                             / static_cast<vtkIdType>(components));
    std::transform(stored.begin(), stored.end(), array->GetPointer(0), value);
    return array;
}

} // namespace

void setField(vtkDataSet &data, const Field &field, std::span<const float> values)
{
    const bool atPoints = field.association == Association::point;
    const auto entities = atPoints ? data.GetNumberOfPoints() : data.GetNumberOfCells();
    if (field.entities != static_cast<std::uint64_t>(entities) || field.components < 1
        || values.size() != field.values())
        throw Error("The field " + field.name
                    + " has another length than its mesh: the study is damaged; restore it from a "
                      "copy");
    const auto array =
        field.isPlain()
            ? arrayOf<vtkFloatArray>(values, field.components, [](float stored) { return stored; })
            : arrayOf<vtkDoubleArray>(values, field.components,
                                      [&](float stored) { return field.valueOf(stored); });
    array->SetName(field.name.c_str());
    if (!field.unit.empty())
        array->GetInformation()->Set(vtkDataArray::UNITS_LABEL(), cleanLine(field.unit).c_str());
    if (atPoints)
        data.GetPointData()->AddArray(array);
    else
        data.GetCellData()->AddArray(array);
}

void hideNodes(vtkDataSet &data, std::span<const float> distance)
{
    if (distance.size() != static_cast<std::size_t>(data.GetNumberOfPoints()))
        throw Error("The distances to the body's surface have another length than the mesh: the "
                    "study is damaged; restore it from a copy");
    vtkNew<vtkUnsignedCharArray> ghosts;
    ghosts->SetName(vtkDataSetAttributes::GhostArrayName());
    ghosts->SetNumberOfTuples(data.GetNumberOfPoints());
    for (std::size_t i = 0; i < distance.size(); ++i)
        ghosts->SetValue(static_cast<vtkIdType>(i),
                         distance[i] < 0 ? vtkDataSetAttributes::HIDDENPOINT : 0);
    data.GetPointData()->AddArray(ghosts);
}

void setNumber(vtkDataSet &data, const std::string &name, std::optional<double> value)
{
    if (!value) {
        data.GetFieldData()->RemoveArray(name.c_str());
        return;
    }
    vtkNew<vtkDoubleArray> array;
    array->SetName(name.c_str());
    array->InsertNextValue(*value);
    data.GetFieldData()->AddArray(array);
}

std::string xmlText(std::string_view text)
{
    std::string result;
    for (const char c : cleanLine(text)) {
        switch (c) {
        case '&':
            result += "&amp;";
            break;
        case '<':
            result += "&lt;";
            break;
        case '>':
            result += "&gt;";
            break;
        case '"':
            result += "&quot;";
            break;
        default:
            result += c;
        }
    }
    return result;
}

namespace {

/// While it lives, arrays are called as XML holds their names: VTK's writers do not see to that.
class NamesForXml
{
public:
    explicit NamesForXml(vtkDataSet &data)
    {
        for (vtkFieldData *arrays :
             {static_cast<vtkFieldData *>(data.GetPointData()),
              static_cast<vtkFieldData *>(data.GetCellData()), data.GetFieldData()})
            for (int a = 0; a < arrays->GetNumberOfArrays(); ++a)
                rename(*arrays->GetAbstractArray(a));
    }
    ~NamesForXml()
    {
        for (const auto &[array, name] : m_renamed)
            array->SetName(name.c_str());
    }
    NamesForXml(const NamesForXml &) = delete;
    NamesForXml &operator=(const NamesForXml &) = delete;

private:
    void rename(vtkAbstractArray &array)
    {
        const std::string name = array.GetName() ? array.GetName() : "";
        const auto escaped = xmlText(name);
        if (escaped == name)
            return;
        m_renamed.emplace_back(&array, name);
        array.SetName(escaped.c_str());
    }

    std::vector<std::pair<vtkSmartPointer<vtkAbstractArray>, std::string>> m_renamed;
};

} // namespace

void writeDataSet(const std::filesystem::path &path, vtkDataSet &data,
                  const std::filesystem::path &finalPath)
{
    const VtkMessages messages;
    const NamesForXml names(data);
    vtkNew<vtkXMLDataSetWriter> writer;
    writer->SetFileName(path.c_str());
    writer->SetInputData(&data);
    writer->SetDataModeToAppended();
    writer->EncodeAppendedDataOff();
    const bool written = writer->Write() != 0;
    const auto code = writer->GetErrorCode();
    const auto reason =
        code != 0 ? vtkErrorCode::GetStringFromErrorCode(code) : messages.firstError();
    if (written && reason.empty())
        return;
    throw Error((finalPath.empty() ? path : finalPath).string() + " could not be written"
                + (reason.empty() ? "" : " (" + reason + ")")
                + ": check that its folder exists, may be written to and has space");
}

} // namespace gridhelm::data
