// SPDX-License-Identifier: GPL-3.0-or-later
//
// Meshes whose nodes move with a parameter while their cells join the same ones: the study keeps
// one mesh, and every node's displacement from there as a field (geometry_fields.h).
#pragma once

#include "data/study/study_types.h"

#include <vtkDataSet.h>
#include <vtkPointSet.h>
#include <vtkPoints.h>
#include <vtkSmartPointer.h>

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace gridhelm::data {

/// The same mesh as one of which every node can move: images and rectilinear meshes become
/// structured ones.
Mesh movable(const Mesh &mesh);

struct MeshMotion
{
    /// A sentence why the meshes do not have the same cells (types, and the points that they join);
    /// empty if they do. Images and structured meshes of one size do.
    std::string difference;
    /// Of every node, from where the one mesh has it to where the other does; components adjacent.
    std::vector<float> displacement;
};
MeshMotion motionBetween(const Mesh &mesh, const Mesh &moved);

/// Throws gridhelm::Error for a data set without points of its own: an image or a rectilinear mesh
/// (see movable()).
void requireMovable(vtkDataSet &data);

/// A data set whose nodes stand elsewhere for every state.
class MovingNodes
{
public:
    /// Keeps the data set. Throws as requireMovable().
    explicit MovingNodes(vtkDataSet &data);

    /// Three numbers for each node, from where the data set had it when this was made. Nodes with
    /// numbers that cannot be drawn stay there.
    void move(std::span<const float> displacement);

private:
    vtkSmartPointer<vtkPointSet> m_data;
    vtkSmartPointer<vtkPoints> m_original;
};

/// Cells turned inside out by the motion of their nodes: triangles of flat cells, or tetrahedra of
/// solid ones, whose orientation is another one than in the mesh, or that have no extent any more.
class InvertedCells
{
public:
    explicit InvertedCells(vtkDataSet &data);

    /// How many, of cells(). Three numbers for each node.
    std::size_t count(std::span<const float> displacement) const;
    std::size_t cells() const { return m_firstSimplex.size() - 1; }

private:
    struct Simplex
    {
        std::array<std::size_t, 4> nodes{};
        int corners = 0; ///< 3 or 4
    };
    bool isInverted(const Simplex &simplex, std::span<const float> displacement) const;

    std::vector<std::array<double, 3>> m_places; ///< of the nodes
    std::vector<std::size_t> m_firstSimplex{0};  ///< of each cell, and the end
    std::vector<Simplex> m_simplices;
};

} // namespace gridhelm::data
