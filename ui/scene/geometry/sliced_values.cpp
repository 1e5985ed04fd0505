// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/geometry/sliced_values.h"

#include <vtkCellData.h>
#include <vtkDataObject.h>
#include <vtkDataSet.h>
#include <vtkFloatArray.h>
#include <vtkInformation.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkPointData.h>

#include <utility>

namespace gridhelm::ui {
namespace {

/// The arrays of `from` at other places: `fill(array, its copy)`.
template <typename Fill>
void carryOver(vtkDataSetAttributes &from, vtkDataSetAttributes &to, std::size_t tuples,
               const Fill &fill)
{
    for (int a = 0; a < from.GetNumberOfArrays(); ++a) {
        auto *array = vtkFloatArray::SafeDownCast(from.GetAbstractArray(a));
        if (!array)
            continue;
        vtkNew<vtkFloatArray> copy;
        copy->SetName(array->GetName());
        copy->SetNumberOfComponents(array->GetNumberOfComponents());
        copy->SetNumberOfTuples(static_cast<vtkIdType>(tuples));
        fill(*array, *copy);
        const int number = to.AddArray(copy);
        if (array == from.GetScalars())
            to.SetActiveAttribute(number, vtkDataSetAttributes::SCALARS);
    }
}

void atVertices(const std::vector<ValueSource> &vertices, vtkFloatArray &from, vtkFloatArray &to)
{
    const auto components = static_cast<std::size_t>(from.GetNumberOfComponents());
    const float *values = from.GetPointer(0);
    float *next = to.GetPointer(0);
    for (const auto &source : vertices) {
        const float *first = values + source.first * components;
        const float *second = values + source.second * components;
        for (std::size_t c = 0; c < components; ++c)
            *next++ = source.ofSecond == 0 ? first[c]
                                           : first[c] + source.ofSecond * (second[c] - first[c]);
    }
}

void inCells(const std::vector<vtkIdType> &cells, vtkFloatArray &from, vtkFloatArray &to)
{
    vtkIdType next = 0;
    for (const auto cell : cells)
        to.SetTuple(next++, cell, &from);
}

} // namespace

vtkStandardNewMacro(SlicedValues);

void SlicedValues::setSlice(std::shared_ptr<const SliceSurface> slice)
{
    m_slice = std::move(slice);
    Modified();
}

int SlicedValues::FillInputPortInformation(int, vtkInformation *information)
{
    information->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkDataSet");
    return 1;
}

int SlicedValues::RequestData(vtkInformation *, vtkInformationVector **inputs,
                              vtkInformationVector *outputs)
{
    auto *mesh = vtkDataSet::GetData(inputs[0]);
    auto *sliced = vtkPolyData::GetData(outputs);
    if (!mesh || !sliced || !m_slice)
        return 0;
    sliced->CopyStructure(m_slice->polygons);
    if (!m_slice->cells.empty())
        carryOver(
            *mesh->GetCellData(), *sliced->GetCellData(), m_slice->cells.size(),
            [this](vtkFloatArray &from, vtkFloatArray &to) { inCells(m_slice->cells, from, to); });
    carryOver(*mesh->GetPointData(), *sliced->GetPointData(), m_slice->vertices.size(),
              [this](vtkFloatArray &from, vtkFloatArray &to) {
                  atVertices(m_slice->vertices, from, to);
              });
    return 1;
}

} // namespace gridhelm::ui
