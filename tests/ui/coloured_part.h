// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of a scene that has the colours of values, as geometry.
#pragma once

#include "tests/ui/scene_case.h"

#include <vtkActor.h>
#include <vtkActorCollection.h>
#include <vtkMapper.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkRenderer.h>

#include <array>

namespace gridhelm::test {

/// What the scene colours by value, as polygons and lines.
inline vtkPolyData *coloured(const Drawn &drawn)
{
    auto *actors = drawn.scene.fieldRenderer()->GetActors();
    actors->InitTraversal();
    while (auto *actor = actors->GetNextActor()) {
        if (actor->GetVisibility() && actor->GetMapper()->GetScalarVisibility())
            return vtkPolyData::SafeDownCast(actor->GetMapper()->GetInput());
    }
    return nullptr;
}

inline std::array<double, 3> pointOf(vtkPolyData &drawn, vtkIdType i)
{
    std::array<double, 3> at{};
    drawn.GetPoint(i, at.data());
    return at;
}

inline double valueAt(vtkPolyData &drawn, vtkIdType i)
{
    return drawn.GetPointData()->GetScalars()->GetTuple1(i);
}

} // namespace gridhelm::test
