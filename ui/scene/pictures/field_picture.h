// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/study/study_types.h"
#include "ui/scene/colour/colour_table.h"
#include "ui/scene/geometry/body.h"
#include "ui/scene/geometry/mesh_sampling.h"
#include "ui/scene/geometry/mesh_shape.h"
#include "ui/scene/geometry/outer_surface.h"
#include "ui/scene/geometry/value_source.h"
#include "ui/scene/pictures/pace.h"

#include <vtkAlgorithm.h>
#include <vtkDataSet.h>
#include <vtkPlane.h>
#include <vtkSmartPointer.h>
#include <vtkVolume.h>

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gridhelm::ui {

/// What pictures are made from. All of it must live as long as the picture is shown.
struct PictureSource
{
    vtkDataSet &mesh;      ///< all of it; the values shown are its active scalars
    OuterSurface &surface; ///< of it, with the same
    const MeshShape &shape;
    const Body &body;                              ///< where it has moved, and what is cut off
    std::shared_ptr<const MeshSampling> &sampling; ///< null until it is needed
};

/// What a picture shows at a moment.
struct PictureValues
{
    const data::Field &field;
    std::span<const float> shown;    ///< one number of each entity
    std::span<const float> vectors;  ///< of arrows and the like, components adjacent
    bool areOwnVectors = true;       ///< the magnitude of `vectors` is what could be shown
    std::span<const float> distance; ///< of each entity; outside of the body it is negative
    const ColourScale &colours;
    const ViewSettings &settings;
};

/// A picture of one kind on one mesh. It follows new values in place: another one is made only if
/// settings change that are not PictureOption::isLive, or the field is of another sort.
///
/// One thread at a time, as the Scene. No OpenGL but in setPace().
class FieldPicture
{
public:
    /// The algorithms have an output port 0 with polygonal data, and follow the values on the mesh
    /// by themselves when they are next drawn.
    struct Parts
    {
        vtkSmartPointer<vtkAlgorithm> faces = nullptr;            ///< coloured by value
        vtkSmartPointer<vtkAlgorithm> lines = nullptr;            ///< dark; there may be none
        vtkSmartPointer<vtkVolume> volume = nullptr;              ///< instead of `faces`
        data::Association association = data::Association::point; ///< of the values on `faces`
        vtkSmartPointer<vtkPlane> clip = nullptr; ///< `faces` are shown where it is positive
        bool isLit = false;                       ///< shaded by its shape
        bool isStill = false;     ///< new values change colours alone, of faces and of nothing else
        bool followsMesh = true;  ///< where it moves; else another picture is made then
        bool hasMeshEdges = true; ///< edges of `faces` are those of the mesh's cells
        bool isRaised = false;    ///< out of a flat mesh, so that it is not seen straight
        std::optional<Axis> facing = std::nullopt; ///< seen along it where it is seen straight
    };

    /// Equal parts of a picture that need not all be drawn while something moves.
    struct Pieces
    {
        int all = 0;    ///< none: it is always drawn as a whole
        int always = 2; ///< any machine can draw so many in time
        int ratio = 2;  ///< there are so many times fewer in each step
    };

    FieldPicture() = default;
    virtual ~FieldPicture() = default;
    FieldPicture(const FieldPicture &) = delete;
    FieldPicture &operator=(const FieldPicture &) = delete;

    const Parts &parts() const { return m_parts; }

    /// After new values, and settings that are live; those on the mesh are set already.
    virtual void show(const PictureValues &) {}

    /// Of `faces`.
    virtual double opacity(const ViewSettings &) const { return 1; }
    /// By how much `faces` are drawn beside where they are.
    virtual std::array<double, 3> offset() const { return {0, 0, 0}; }
    /// How far it rises above a flat mesh.
    virtual double height(const ViewSettings &) const { return 0; }
    /// What the picture's caption says of it; may be empty.
    virtual std::string caption() const { return {}; }

    /// Where the values of the vertices (or cells) of `faces` come from; empty: not known.
    /// `drawn`: the output of `faces`.
    virtual std::vector<ValueSource> sourcesOf(vtkPolyData & /*drawn*/) const { return {}; }

    virtual Pieces pieces() const { return {}; }
    /// All pieces(), or each so-manieth: a power of their ratio.
    virtual void showEach(int) {}

    // Of pictures that are drawn coarsely in a way of their own. `pixels` is what the field has of
    // the window.

    /// To be called before drawing, by the thread that draws.
    virtual void setPace(Pace, double /*pixels*/, OpenGl) {}
    /// Whether the last picture was drawn less well than at Pace::full.
    virtual bool isCoarse() const { return false; }
    /// Whether it would become better at that pace.
    virtual bool wouldBeFiner(Pace, double /*pixels*/) const { return false; }
    /// 0: not known.
    virtual double secondsWhenFull(double /*pixels*/) const { return 0; }

protected:
    Parts m_parts; ///< to be filled by the constructor
};

} // namespace gridhelm::ui
