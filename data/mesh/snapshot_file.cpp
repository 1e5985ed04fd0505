// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/mesh/snapshot_file.h"

#include "core/support/error.h"
#include "core/support/lowered.h"
#include "data/mesh/isolated_reader.h"
#include "data/mesh/mesh_codec.h"
#include "data/mesh/snapshot_reader.h"
#include "data/mesh/vtk_messages.h"
#include "data/study/stored_values.h"

#include <nlohmann/json.hpp>

#include <vtkAppendFilter.h>
#include <vtkCell.h>
#include <vtkCellData.h>
#include <vtkCompositeDataIterator.h>
#include <vtkCompositeDataSet.h>
#include <vtkDataArray.h>
#include <vtkDataSetAttributes.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkGenericDataObjectReader.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkOpenFOAMReader.h>
#include <vtkPointData.h>
#include <vtkThreshold.h>
#include <vtkUnstructuredGrid.h>
#include <vtkVersion.h>
#include <vtkXMLDataElement.h>
#include <vtkXMLGenericDataObjectReader.h>
#include <vtkXMLMultiBlockDataReader.h>
#include <vtkXMLUtilities.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>

namespace gridhelm::data {
namespace {

namespace fs = std::filesystem;
using Blocks = std::vector<vtkSmartPointer<vtkDataSet>>;

void requireFile(const fs::path &path)
{
    std::error_code failed;
    if (!fs::exists(path, failed))
        throw Error("There is no file " + path.string() + "; check the name");
    if (fs::exists(path / "system" / "controlDict", failed))
        throw Error(path.string()
                    + " is the folder of an OpenFOAM case; give its system/controlDict");
    if (!fs::is_regular_file(path, failed))
        throw Error(path.string() + " is not a file; give the name of a mesh file");
    if (!std::ifstream(path, std::ios::binary))
        throw Error(path.string() + " may not be read; check its permissions");
}

/// ".vtu", of "a.VTU", too.
std::string typeOf(const fs::path &path)
{
    return lowered(path.extension().string());
}

void addBlocks(vtkDataObject *object, Blocks &blocks)
{
    if (auto *data = vtkDataSet::SafeDownCast(object)) {
        if (data->GetNumberOfPoints() > 0)
            blocks.emplace_back(data);
    } else if (auto *composite = vtkCompositeDataSet::SafeDownCast(object)) {
        const auto it = vtkSmartPointer<vtkCompositeDataIterator>::Take(composite->NewIterator());
        for (it->InitTraversal(); !it->IsDoneWithTraversal(); it->GoToNextItem())
            addBlocks(it->GetCurrentDataObject(), blocks);
    }
}

int dimensionOf(vtkDataSet &data)
{
    int dimension = 0;
    for (vtkIdType c = 0; c < data.GetNumberOfCells() && dimension < 3; ++c)
        dimension = std::max(dimension, data.GetCell(c)->GetCellDimension());
    return dimension;
}

/// Whether each cell is one that ParaView shows: no copy of another part's (a ghost cell), not
/// hidden, nor with a hidden point. Empty if all are.
std::vector<bool> shownCells(vtkDataSet &data)
{
    using Flags = vtkDataSetAttributes;
    constexpr int hiddenCell = Flags::DUPLICATECELL | Flags::HIDDENCELL | Flags::REFINEDCELL;
    auto *ofCells = data.GetCellData()->GetArray(Flags::GhostArrayName());
    auto *ofPoints = data.GetPointData()->GetArray(Flags::GhostArrayName());
    const auto has = [](vtkDataArray *flags, vtkIdType i, int bits) {
        return flags && i < flags->GetNumberOfTuples()
               && (static_cast<int>(flags->GetComponent(i, 0)) & bits) != 0;
    };
    std::vector<bool> shown(ofCells || ofPoints ? static_cast<std::size_t>(data.GetNumberOfCells())
                                                : 0);
    vtkNew<vtkIdList> points;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const auto cell = static_cast<vtkIdType>(i);
        shown[i] = !has(ofCells, cell, hiddenCell);
        data.GetCellPoints(cell, points);
        for (vtkIdType k = 0; k < points->GetNumberOfIds() && shown[i]; ++k)
            shown[i] = !has(ofPoints, points->GetId(k), Flags::HIDDENPOINT);
    }
    return std::ranges::find(shown, false) == shown.end() ? std::vector<bool>() : shown;
}

/// Without the cells that are not shown, and the points that only they have.
vtkSmartPointer<vtkDataSet> shownPart(vtkDataSet &data, std::vector<std::string> &notes)
{
    if (!data.GetCellData()->HasArray(vtkDataSetAttributes::GhostArrayName())
        && !data.GetPointData()->HasArray(vtkDataSetAttributes::GhostArrayName()))
        return &data;
    requireSoundMesh(data); // before anything walks through it
    const auto shown = shownCells(data);
    if (shown.empty())
        return &data;
    constexpr const char *name = "gridhelm shown";
    vtkNew<vtkDoubleArray> flags;
    flags->SetName(name);
    for (const bool isShown : shown)
        flags->InsertNextValue(isShown ? 1 : 0);
    const auto copy = vtkSmartPointer<vtkDataSet>::Take(data.NewInstance());
    copy->ShallowCopy(&data);
    copy->GetCellData()->RemoveArray(vtkDataSetAttributes::GhostArrayName());
    copy->GetPointData()->RemoveArray(vtkDataSetAttributes::GhostArrayName());
    copy->GetCellData()->AddArray(flags);
    vtkNew<vtkThreshold> threshold;
    threshold->SetInputData(copy);
    threshold->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, name);
    threshold->SetLowerThreshold(0.5);
    threshold->SetUpperThreshold(1.5);
    threshold->Update();
    vtkSmartPointer<vtkDataSet> part = threshold->GetOutput();
    part->GetCellData()->RemoveArray(name);
    notes.push_back(std::to_string(std::ranges::count(shown, false))
                    + " cells are left out, for they are hidden, or copies of another part's "
                      "(vtkGhostType)");
    return part;
}

/// With all its numbers in double precision: blocks are joined with what is alike in all of them.
vtkSmartPointer<vtkDataSet> inDoubles(vtkDataSet &data)
{
    const auto copy = vtkSmartPointer<vtkDataSet>::Take(data.NewInstance());
    copy->ShallowCopy(&data);
    for (auto *arrays : {static_cast<vtkFieldData *>(copy->GetPointData()),
                         static_cast<vtkFieldData *>(copy->GetCellData())})
        for (int a = 0; a < arrays->GetNumberOfArrays(); ++a)
            if (auto *array = arrays->GetArray(a);
                array && array->GetName() && array->GetDataType() != VTK_DOUBLE) {
                vtkNew<vtkDoubleArray> doubles;
                doubles->DeepCopy(array);
                arrays->AddArray(doubles); // in the other one's place
            }
    return copy;
}

std::set<std::string> arrayNames(vtkFieldData &arrays)
{
    std::set<std::string> names;
    for (int a = 0; a < arrays.GetNumberOfArrays(); ++a)
        if (const char *name = arrays.GetArrayName(a))
            names.insert(name);
    return names;
}

void noteDropped(const Blocks &blocks, vtkDataSet &appended, std::vector<std::string> &notes)
{
    std::set<std::string> dropped;
    for (const auto &block : blocks) {
        for (const auto &name : arrayNames(*block->GetPointData()))
            if (!appended.GetPointData()->HasArray(name.c_str()))
                dropped.insert(name);
        for (const auto &name : arrayNames(*block->GetCellData()))
            if (!appended.GetCellData()->HasArray(name.c_str()))
                dropped.insert(name);
    }
    for (const auto &name : dropped)
        notes.push_back("The array " + name
                        + " is left out, for not every block has it with the same number of "
                          "components");
}

/// Several blocks become one.
vtkSmartPointer<vtkDataSet> joined(Blocks blocks, const fs::path &path,
                                   std::vector<std::string> &notes)
{
    if (blocks.empty())
        throw Error(path.string()
                    + " holds no mesh with points; check that the simulation has "
                      "written its results");
    for (auto &block : blocks)
        block = shownPart(*block, notes);
    std::erase_if(blocks, [](const auto &block) { return block->GetNumberOfPoints() == 0; });
    if (blocks.empty())
        throw Error(path.string()
                    + " has no cells that are shown: all of them are hidden, or copies of "
                      "another part's (vtkGhostType)");
    if (blocks.size() == 1)
        return blocks.front();
    // Before a filter walks through them.
    for (const auto &block : blocks)
        requireSoundMesh(*block);
    std::vector<int> dimensions;
    for (const auto &block : blocks)
        dimensions.push_back(dimensionOf(*block));
    const int highest = *std::max_element(dimensions.begin(), dimensions.end());
    Blocks kept;
    for (std::size_t b = 0; b < blocks.size(); ++b)
        if (dimensions[b] == highest)
            kept.push_back(blocks[b]);
    if (kept.size() < blocks.size())
        notes.push_back(std::to_string(blocks.size() - kept.size())
                        + " blocks are left out, for their cells are of a lower dimension (the "
                          "boundary, say)");
    vtkNew<vtkAppendFilter> append;
    for (const auto &block : kept)
        append->AddInputData(inDoubles(*block));
    append->Update();
    vtkSmartPointer<vtkDataSet> all = append->GetOutput();
    noteDropped(kept, *all, notes);
    return all;
}

void addFields(vtkFieldData &arrays, Association association, std::uint64_t entities,
               RunSnapshot &snapshot)
{
    for (int a = 0; a < arrays.GetNumberOfArrays(); ++a) {
        auto *array = arrays.GetArray(a);
        const char *name = arrays.GetArrayName(a);
        if (!array || !name || !*name || std::string(name) == "vtkGhostType")
            continue; // texts, and what VTK keeps for itself
        Field field{name, {}, array->GetNumberOfComponents(), association, entities};
        if (static_cast<std::uint64_t>(array->GetNumberOfTuples()) != entities
            || field.components < 1) {
            snapshot.notes.push_back("The array " + field.name
                                     + " is left out, for its length is not that of the mesh");
            continue;
        }
        const auto taken = [&] {
            return std::any_of(snapshot.fields.begin(), snapshot.fields.end(),
                               [&](const Field &other) { return other.name == field.name; });
        };
        if (taken())
            field.name += "_cell";
        if (taken())
            continue;
        std::vector<double> values(field.values());
        std::size_t v = 0;
        for (vtkIdType i = 0; i < array->GetNumberOfTuples(); ++i)
            for (int c = 0; c < field.components; ++c)
                values[v++] = array->GetComponent(i, c);
        snapshot.values.push_back(storedValues(field, values));
        snapshot.fields.push_back(std::move(field));
    }
}

/// Of arrays that belong to the whole file: its time aside, nobody asks for them.
void noteFieldData(const Blocks &blocks, std::vector<std::string> &notes)
{
    constexpr std::array<std::string_view, 5> known{"TimeValue", "TIME", "Time", "CYCLE",
                                                    "avtOriginalBounds"};
    std::set<std::string> names;
    for (const auto &block : blocks)
        if (block->GetFieldData())
            names.merge(arrayNames(*block->GetFieldData()));
    for (const auto &name : names)
        if (std::ranges::find(known, name) == known.end())
            notes.push_back("The field data " + name
                            + " is left out, for it belongs to no point and no cell");
}

/// Whether the file has this word in its first 256 MB.
bool mentions(const fs::path &path, std::string_view word)
{
    constexpr std::streamsize most = std::streamsize{1} << 28;
    std::ifstream stream(path, std::ios::binary);
    std::string line;
    for (std::streamsize read = 0; read < most && std::getline(stream, line);
         read += static_cast<std::streamsize>(line.size()))
        if (line.find(word) != std::string::npos)
            return true;
    return false;
}

Mesh meshOf(vtkDataSet &data, const fs::path &path)
try {
    return encodeMesh(data);
} catch (const Error &) {
    if (mentions(path, "polyhedron_to_faces"))
        throw Error(path.string() + " has polyhedra in the form of VTK 9.4 and newer, which VTK "
                    + vtkVersion::GetVTKVersion()
                    + " does not read: write it with ParaView 5.12 or older, or as a legacy .vtk "
                      "file of version 5.1 or older");
    throw;
}

RunSnapshot snapshotOf(const Blocks &blocks, double time, const fs::path &path)
{
    RunSnapshot snapshot;
    snapshot.time = time;
    noteFieldData(blocks, snapshot.notes);
    const auto data = joined(blocks, path, snapshot.notes);
    snapshot.mesh = meshOf(*data, path);
    addFields(*data->GetPointData(), Association::point, snapshot.mesh.points, snapshot);
    addFields(*data->GetCellData(), Association::cell, snapshot.mesh.cells, snapshot);
    return snapshot;
}

double timeOf(vtkDataObject *object)
{
    auto *array = object->GetFieldData() ? object->GetFieldData()->GetArray("TimeValue") : nullptr;
    return array && array->GetNumberOfTuples() > 0 ? array->GetComponent(0, 0) : 0;
}

/// Whether an XML file has an array of points or cells without a name, which VTK does not read.
bool hasUnnamedArray(const fs::path &path)
{
    constexpr std::size_t most = 1 << 28;
    std::ifstream stream(path, std::ios::binary);
    std::string text;
    std::string line;
    while (text.size() < most && std::getline(stream, line))
        text += line + "\n";
    for (const std::string element : {"PointData", "CellData"}) {
        const auto end = text.find("</" + element);
        for (auto at = text.find("<" + element); at < end && end != std::string::npos;) {
            at = text.find("<DataArray", at + 1);
            if (at >= end)
                break;
            const auto tag = text.substr(at, text.find('>', at) - at);
            if (tag.find("Name=") == std::string::npos
                || tag.find("Name=\"\"") != std::string::npos)
                return true;
        }
    }
    return false;
}

template <typename Reader>
vtkSmartPointer<vtkDataObject> outputOf(Reader &reader, const fs::path &path)
{
    const VtkMessages messages;
    reader.SetFileName(path.c_str());
    reader.Update();
    vtkSmartPointer<vtkDataObject> object = reader.GetOutputDataObject(0);
    const auto problem = messages.firstError();
    const bool isRead = problem.empty() && object && reader.GetErrorCode() == 0;
    if (!isRead && hasUnnamedArray(path))
        throw Error(path.string()
                    + " has an array without a name, which VTK does not read: write "
                      "Name=\"...\" into its DataArray");
    if (!isRead)
        throw Error(
            path.string() + " cannot be read ("
            + (problem.empty() ? "it is not a file of this format, or it is cut off" : problem)
            + "): it is damaged; write it again");
    return object;
}

enum class Format : std::uint8_t { unknown, legacy, xml, multiBlock };

/// As the file begins: endings are wrong now and then.
Format formatOf(const fs::path &path)
{
    std::ifstream stream(path, std::ios::binary);
    std::string head(4096, '\0');
    stream.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(stream.gcount()));
    if (head.starts_with("# vtk DataFile"))
        return Format::legacy;
    const auto at = head.find("<VTKFile");
    if (at != std::string::npos)
        return head.find("vtkMultiBlockDataSet", at) != std::string::npos ? Format::multiBlock
                                                                          : Format::xml;
    const auto type = typeOf(path);
    constexpr std::array<std::string_view, 10> xml{".vti",  ".vtr",  ".vts",  ".vtu",  ".vtp",
                                                   ".pvti", ".pvtr", ".pvts", ".pvtu", ".pvtp"};
    if (type == ".vtk")
        return Format::legacy;
    if (type == ".vtm")
        return Format::multiBlock;
    return std::ranges::find(xml, type) != xml.end() ? Format::xml : Format::unknown;
}

/// A file of one time step: appends its blocks, returns its time.
double readSingle(const fs::path &path, Blocks &blocks)
{
    requireFile(path);
    vtkSmartPointer<vtkDataObject> object;
    switch (formatOf(path)) {
    case Format::legacy: {
        vtkNew<vtkGenericDataObjectReader> reader;
        reader->ReadAllScalarsOn();
        reader->ReadAllVectorsOn();
        reader->ReadAllTensorsOn();
        reader->ReadAllFieldsOn();
        object = outputOf(*reader, path);
        break;
    }
    case Format::multiBlock: {
        vtkNew<vtkXMLMultiBlockDataReader> reader;
        object = outputOf(*reader, path);
        break;
    }
    case Format::xml: {
        vtkNew<vtkXMLGenericDataObjectReader> reader;
        object = outputOf(*reader, path);
        break;
    }
    case Format::unknown:
        throw Error(
            path.string()
            + " is of a kind that is not known; give a .vti, .vtr, .vts, .vtu, .vtp (or "
              ".pvti ... of parts), .vtm, .vtk, .pvd, .series or .foam file, or an OpenFOAM "
              "case's controlDict");
    }
    addBlocks(object, blocks);
    return timeOf(object);
}

/// The files of each time step.
using Steps = std::vector<std::pair<double, std::vector<fs::path>>>;

void addStep(Steps &steps, double time, const fs::path &file)
{
    for (auto &step : steps)
        if (step.first == time) {
            step.second.push_back(file);
            return;
        }
    steps.emplace_back(time, std::vector{file});
}

[[noreturn]] void throwNoSeries(const fs::path &path)
{
    throw Error(path.string()
                + " is no list of files with their times: it is damaged; write it "
                  "again");
}

Steps stepsOfPvd(const fs::path &path)
{
    const VtkMessages messages;
    const auto root = vtkSmartPointer<vtkXMLDataElement>::Take(
        vtkXMLUtilities::ReadElementFromFile(path.c_str()));
    auto *collection = root ? root->FindNestedElementWithName("Collection") : nullptr;
    if (!collection)
        throwNoSeries(path);
    Steps steps;
    for (int i = 0; i < collection->GetNumberOfNestedElements(); ++i) {
        auto *element = collection->GetNestedElement(i);
        const char *file = element->GetAttribute("file");
        if (!file)
            throwNoSeries(path);
        double time = 0;
        if (element->GetAttribute("timestep") && !element->GetScalarAttribute("timestep", time))
            throwNoSeries(path);
        addStep(steps, time, path.parent_path() / file);
    }
    return steps;
}

Steps stepsOfSeries(const fs::path &path)
{
    Steps steps;
    try {
        std::ifstream stream(path);
        const auto document = nlohmann::json::parse(stream);
        for (const auto &file : document.at("files"))
            addStep(steps, file.at("time").get<double>(),
                    path.parent_path() / file.at("name").get<std::string>());
    } catch (const nlohmann::json::exception &) {
        throwNoSeries(path);
    }
    return steps;
}

using Give = std::function<void(const RunSnapshot &)>;

void readFoam(const fs::path &path, const Give &give)
{
    const VtkMessages messages;
    vtkNew<vtkOpenFOAMReader> reader;
    reader->SetFileName(path.c_str());
    reader->CreateCellToPointOff(); // interpolated values are not the simulation's
    reader->UpdateInformation();
    auto *times = reader->GetTimeValues();
    const auto folder =
        path.filename() == "controlDict" ? path.parent_path().parent_path() : path.parent_path();
    std::error_code failed;
    if ((!times || times->GetNumberOfTuples() == 0) && fs::exists(folder / "processor0", failed))
        throw Error(path.string()
                    + ": the case was run in parallel, and its results are in parts "
                      "(processor0 ...); join them with reconstructPar");
    if (!times || times->GetNumberOfTuples() == 0)
        throw Error(path.string()
                    + " belongs to no OpenFOAM case with results; give the .foam file "
                      "in the case's folder, or its system/controlDict");
    for (vtkIdType i = 0; i < times->GetNumberOfTuples(); ++i) {
        reader->UpdateTimeStep(times->GetValue(i));
        Blocks blocks;
        addBlocks(reader->GetOutputDataObject(0), blocks);
        if (const auto problem = messages.firstError(); !problem.empty())
            throw Error(path.string() + " cannot be read (" + problem
                        + "): the case is damaged; run the simulation again");
        give(snapshotOf(blocks, times->GetValue(i), path));
    }
}

void readHere(const fs::path &path, const Give &give)
{
    const auto type = typeOf(path);
    if (isFoamCase(path)) {
        readFoam(path, give);
        return;
    }
    if (type != ".pvd" && type != ".series") {
        Blocks blocks;
        const double time = readSingle(path, blocks);
        give(snapshotOf(blocks, time, path));
        return;
    }
    const Steps steps = type == ".pvd" ? stepsOfPvd(path) : stepsOfSeries(path);
    if (steps.empty())
        throw Error(path.string()
                    + " lists no files; check that the simulation has written its "
                      "results");
    for (const auto &[time, files] : steps) {
        Blocks blocks;
        for (const auto &file : files)
            readSingle(file, blocks);
        give(snapshotOf(blocks, time, path));
    }
}

} // namespace

void readSnapshotFile(const fs::path &path, const std::function<void(RunSnapshot &&)> &visit,
                      const std::stop_token &stop)
{
    requireFile(path);
    readIsolated(
        path, ReadPatience{}, [&path](const Give &give) { readHere(path, give); }, visit, stop);
}

} // namespace gridhelm::data
