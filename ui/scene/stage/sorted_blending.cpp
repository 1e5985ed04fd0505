// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/stage/sorted_blending.h"

#include <vtkCamera.h>
#include <vtkCameraPass.h>
#include <vtkDepthSortPolyData.h>
#include <vtkLightsPass.h>
#include <vtkOpaquePass.h>
#include <vtkOverlayPass.h>
#include <vtkRenderPassCollection.h>
#include <vtkRenderer.h>
#include <vtkSequencePass.h>
#include <vtkTranslucentPass.h>

namespace gridhelm::ui {

SortedBlending::SortedBlending()
{
    m_sort->SetDirectionToBackToFront();
    m_sort->SetDepthSortModeToFirstPoint();
    vtkNew<vtkRenderPassCollection> passes;
    passes->AddItem(vtkNew<vtkLightsPass>());
    passes->AddItem(vtkNew<vtkOpaquePass>());
    passes->AddItem(vtkNew<vtkTranslucentPass>());
    passes->AddItem(vtkNew<vtkOverlayPass>());
    vtkNew<vtkSequencePass> sequence;
    sequence->SetPasses(passes);
    m_pass->SetDelegatePass(sequence);
}

SortedBlending::~SortedBlending() = default;

void SortedBlending::begin(vtkRenderer &renderer)
{
    renderer.SetPass(m_pass);
}

void SortedBlending::end(vtkRenderer &renderer)
{
    renderer.SetPass(nullptr);
}

vtkAlgorithm &SortedBlending::sorted(vtkAlgorithm &source, vtkRenderer &renderer)
{
    m_sort->SetInputConnection(source.GetOutputPort());
    m_sort->SetCamera(renderer.GetActiveCamera());
    return *m_sort;
}

} // namespace gridhelm::ui
