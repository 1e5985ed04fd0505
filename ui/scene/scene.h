// SPDX-License-Identifier: GPL-3.0-or-later
//
// A picture of a field on a mesh: field, bar of colours, caption. Draws into any vtkRenderWindow:
//
//     Scene scene;
//     scene.setMesh(mesh);                      // once
//     scene.setView(settings);                  // when the user wants to see something else
//     scene.setValues(field, values);           // as often as the parameters change
//     scene.addTo(window);
//     scene.prepare(width, height);             // before every window->Render()
//
// One thread at a time. prepare() and layOut() are for the thread on which the window is drawn:
// what held resources of OpenGL goes there, and text is measured, for which VTK has one place. The
// others need no OpenGL.
#pragma once

#include "data/study/study_types.h"
#include "ui/scene/annotation/text.h"
#include "ui/scene/camera/camera_place.h"
#include "ui/scene/colour/colour_table.h"
#include "ui/scene/drawing/pace.h"
#include "ui/scene/geometry/mesh_shape.h"
#include "ui/scene/geometry/value_source.h"
#include "ui/scene/view_settings.h"

#include <vtkPolyData.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gridhelm::ui {

/// What comes with the values that are shown, of the same field; empty: nothing.
struct ValuesBeside
{
    std::span<const float> vectors = {};   ///< of arrows and streamlines, if not the values shown
    std::span<const float> indicator = {}; ///< for ViewSettings::markDoubtful
    /// Where the body is in this state: see data::GeometryValues.
    std::span<const float> displacement = {}, distance = {};
};

/// All that a picture depends on but values, their scale of colours, and the caption.
struct StillView
{
    std::array<int, 3> window{}; ///< width, height, dots per inch
    PixelBox field;              ///< what of it the field has
    std::array<double, 12> camera{};
    std::uint64_t geometry = 0; ///< a number; another one after every change

    bool operator==(const StillView &) const = default;
};

/// How the surface on which values are shown is coloured.
enum class Faces {
    byValue,
    allBlack, ///< and there is no caption
    allWhite, ///< as bright as light on it allows; and there is no caption
    hidden,   ///< not drawn; and there is no caption
};
/// Of white faces that a lamp shines on: what is as bright as can be would be cut off.
constexpr double whiteOfLitFaces = 0.75;

class Scene
{
public:
    Scene();
    ~Scene();
    Scene(const Scene &) = delete;
    Scene &operator=(const Scene &) = delete;

    /// Forgets values and camera. Throws gridhelm::Error for a damaged mesh, or one without cells.
    void setMesh(const data::Mesh &mesh);

    /// Values of one snapshot, components adjacent; they are copied. Cheap while the field is the
    /// same: nothing is made anew but what depends on values. Throws gridhelm::Error if the field
    /// does not go with the mesh or the settings (component, arrows, logarithmic scale), and the
    /// picture is then as before.
    void setValues(const data::Field &field, std::span<const float> values,
                   const ValuesBeside &beside = {});

    /// Points or cells whose values the picture needs, ascending, while its geometry stays as it
    /// is; null if that may be all, or is not known. The same object for the same geometry.
    std::shared_ptr<const std::vector<std::uint32_t>> visible() const;
    /// As setValues(), for the same field, but only the values of visible(), in its order: the
    /// others keep those that they had. The range of the colours, if it is not given, is widened
    /// from that of the last setValues().
    void setVisibleValues(std::span<const float> values);

    /// Throws gridhelm::Error for settings that make no sense for this mesh or field, and the
    /// picture is then as before. The camera stays, unless the projection changes.
    void setView(const ViewSettings &settings);
    const ViewSettings &view() const;

    /// Above the field, e.g. "Re = 400, t = 2.5 s"; the place of a slice, and what is marked as
    /// doubtful, are added to it.
    void setCaption(const std::string &caption);

    /// Of the mesh.
    const MeshShape &shape() const;
    /// In the field's unit, as the bar shows it.
    ValueRange range() const;
    /// Of the bar: "velocity magnitude (m/s)".
    std::string title() const;

    /// A window holds one scene, and a scene is in one window.
    void addTo(vtkRenderWindow &window);
    void removeFrom(vtkRenderWindow &window);
    /// The one whose camera the user moves. Where it uses depth peeling (translucent isosurfaces),
    /// the window must not use multisampling.
    vtkRenderer *fieldRenderer() const;

    /// Places everything in a window of this size in pixels, and fits the camera if it has not been
    /// fitted yet. To be called before drawing; cheap if nothing has changed.
    void prepare(int width, int height, int dpi = 72);
    /// The mesh fills the picture again.
    void resetCamera();

    /// Whether the camera is where prepare() would place it.
    bool isFitted() const;
    /// Where the user has moved it to; none while it is where the scene has placed it.
    std::optional<CameraPlace> camera() const;
    /// Goes there when it is next prepared; a place that is not sound is as none.
    void setCamera(const std::optional<CameraPlace> &place);
    /// From that side, all of the mesh. Throws gridhelm::Error while the field is seen straight.
    void lookFrom(Sight sight);

    /// Of the pictures that follow; `full` if it is never called.
    void setPace(Pace pace);
    /// Whether the last picture was drawn less well than at Pace::full.
    bool isCoarse() const;
    /// Whether the same picture would become better at that pace.
    bool wouldBeFiner(Pace pace) const;

    /// What the last picture would have taken at Pace::full; 0: not known.
    double secondsWhenFull() const;

    /// Instead of that of the theme; none: that.
    void setBackground(const std::optional<Colour> &colour);

    // For a Repainter, which needs no OpenGL for new values on a geometry that stays as it is.

    /// The first part of prepare(), without what only drawing needs. What the picture will show;
    /// none if the geometry depends on the values.
    std::optional<StillView> layOut(int width, int height, int dpi);
    void setFaces(Faces faces);
    /// The surface on which values are shown, and where those of its vertices (isPerCell: of its
    /// cells) come from; empty if that is not known. Where there is a layOut().
    struct Surface
    {
        vtkSmartPointer<vtkPolyData> data;
        std::vector<ValueSource> sources;
        bool isPerCell = false;
        bool isLit = false;
    };
    Surface surface() const;
    /// One number of each point or cell of the mesh.
    std::span<const float> shown() const;
    const ColourScale &colours() const;
    /// In the window, of the ink's colour.
    const TextImage &captionImage() const;
    const std::array<double, 3> &ink() const;

private:
    class Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace gridhelm::ui
