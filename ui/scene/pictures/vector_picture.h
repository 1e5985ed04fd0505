// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/study/study_types.h"
#include "ui/scene/pictures/field_picture.h"

#include <vtkMaskPoints.h>
#include <vtkNew.h>

#include <span>

namespace gridhelm::ui {

/// What arrows and streamlines are made from: values of one snapshot on the whole mesh.
struct VectorValues
{
    std::span<const float> shown;   ///< what the colours say, one number of each entity
    std::span<const float> vectors; ///< components adjacent
    int components = 3;             ///< of them, 2 or 3
    double longest = 1;             ///< the magnitude of which arrows are as long as they can be
    std::span<const float> distance = {}; ///< of each entity; outside of the body it is negative
};

/// The vector of an entity; across a flat mesh it has no part. Vectors that are no numbers, and
/// those outside of the body, are 0.
std::array<double, 3> vectorAt(const VectorValues &values, std::size_t entity,
                               const MeshShape &shape);

/// The smallest round number that no finite vector is longer than; above 0.
double longestOf(std::span<const float> vectors, int components);

/// A picture of a vector field: `faces` have the shown values at their points.
class VectorPicture : public FieldPicture
{
public:
    void show(const PictureValues &values) final;
    void showEach(int number) final { m_places->SetOnRatio(number); }

protected:
    VectorPicture();

    /// As often as they change; they are copied.
    virtual void setValues(const VectorValues &values) = 0;
    /// To be called at the end of the constructor.
    void finish(vtkAlgorithm &faces, const PictureSource &source);
    /// Places of arrows, or where lines begin: to be given their input.
    vtkMaskPoints &places() const { return *m_places; }

private:
    vtkNew<vtkMaskPoints> m_places;
};

} // namespace gridhelm::ui
