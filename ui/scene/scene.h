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
#include "ui/scene/annotation/annotation.h"
#include "ui/scene/annotation/axes.h"
#include "ui/scene/camera/fitted_camera.h"
#include "ui/scene/colour/colour_table.h"
#include "ui/scene/field_on_mesh.h"
#include "ui/scene/geometry/value_source.h"
#include "ui/scene/pictures/field_picture.h"
#include "ui/scene/pictures/piece_budget.h"
#include "ui/scene/stage/stage.h"
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

/// All that a picture depends on but values, their scale of colours, and the caption.
struct StillView
{
    std::array<int, 3> window{}; ///< width, height, dots per inch
    PixelBox field;              ///< what of it the field has
    std::array<double, 12> camera{};
    std::uint64_t geometry = 0; ///< a number; another one after every change

    bool operator==(const StillView &) const = default;
};

class Scene
{
public:
    Scene() = default;
    Scene(const Scene &) = delete;
    Scene &operator=(const Scene &) = delete;

    /// Forgets values and camera. Throws gridhelm::Error for a damaged mesh, or one without cells.
    void setMesh(const data::Mesh &mesh);

    /// Of space: x, y and z if it is never called.
    void setAxisNames(const AxisNames &names);

    /// Values of one snapshot, components adjacent; they are copied. Cheap while the field is the
    /// same: nothing is made anew but what depends on values. Throws gridhelm::Error if the field
    /// does not go with the mesh or the settings (component, arrows, logarithmic scale), and the
    /// picture is then as before.
    void setValues(const data::Field &field, std::span<const float> values,
                   const ValuesBeside &beside = {});

    /// Points or cells whose values the picture needs, ascending, while its geometry stays as it
    /// is; null if that may be all, or is not known. The same object for the same geometry.
    std::shared_ptr<const std::vector<std::uint32_t>> visible();
    /// As setValues(), for the same field, but only the values of visible(), in its order: the
    /// others keep those that they had. The range of the colours, if it is not given, is widened
    /// from that of the last setValues().
    void setVisibleValues(std::span<const float> values);

    /// Throws gridhelm::Error for settings that make no sense for this mesh or field, and the
    /// picture is then as before. The camera stays, unless the projection changes.
    void setView(const ViewSettings &settings);
    const ViewSettings &view() const { return m_view; }

    /// Above the field, e.g. "Re = 400, t = 2.5 s"; the place of a slice, and what is marked as of
    /// low confidence, are added to it.
    void setCaption(const std::string &caption);

    /// Of the mesh.
    const MeshShape &shape() const;
    /// In the field's unit, as the bar shows it.
    ValueRange range() const { return m_colours.range; }
    /// Of the values themselves; none if none of them can have a colour.
    const std::optional<ValueRange> &rangeOfValues() const { return m_range; }
    /// How far a relief lifts what has this value above a flat mesh; 0 elsewhere.
    double heightOf(double value) const;
    /// By how much a point of the mesh is drawn elsewhere than it is (Warp by vector).
    std::array<double, 3> warpOf(std::size_t point) const;
    /// Of the bar: "velocity magnitude (m/s)".
    const std::string &title() const { return m_title; }

    /// A window holds one scene, and a scene is in one window.
    void addTo(vtkRenderWindow &window);
    void removeFrom(vtkRenderWindow &window);
    /// The one whose camera the user moves. Where it uses depth peeling (translucent isosurfaces),
    /// the window must not use multisampling.
    vtkRenderer *fieldRenderer() const { return &m_stage.renderer(); }

    /// Places everything in a window of this size in pixels, and fits the camera if it has not been
    /// fitted yet. To be called before drawing; cheap if nothing has changed.
    void prepare(int width, int height, int dpi = 72);
    /// The mesh fills the picture again.
    void resetCamera() { setCamera(std::nullopt); }

    /// Whether the camera is where prepare() would place it.
    bool isFitted() const { return m_camera.isPlaced(); }
    /// Where the user has moved it to; none while it is where the scene has placed it.
    std::optional<CameraPlace> camera() const { return m_camera.chosen(); }
    /// Whether it cannot be turned.
    bool isSeenStraight() const { return m_camera.direction().straight; }
    /// Goes there when it is next prepared; a place that is not sound is as none.
    void setCamera(const std::optional<CameraPlace> &place) { m_camera.wish(place); }
    /// From that side, all of the mesh. Throws gridhelm::Error while the field is seen straight.
    void lookFrom(Sight sight) { m_camera.lookFrom(sight); }

    /// Of the pictures that follow; `full` if it is never called.
    void setPace(Pace pace) { m_pace = pace; }
    /// Otherwise what OpenGL says of itself counts.
    void setOpenGl(OpenGl by) { m_openGl = by; }
    /// Whether the last picture was drawn less well than at Pace::full.
    bool isCoarse() const;
    /// Whether the same picture would become better at that pace.
    bool wouldBeFiner(Pace pace) const;
    /// What the last picture would have taken at Pace::full; 0: not known.
    double secondsWhenFull() const;

    /// Instead of that of the theme; none: that.
    void setBackground(const std::optional<Colour> &colour);

    /// Points or cells (where the field has its values) that are drawn inside of the picture, as it
    /// was last laid out, ascending, whatever hides them; none without values.
    std::vector<std::uint32_t> inSight() const;

    // For a Repainter, which needs no OpenGL for new values on a geometry that stays as it is.

    /// The first part of prepare(), without what only drawing needs. What the picture will show;
    /// none if the geometry depends on the values.
    std::optional<StillView> layOut(int width, int height, int dpi);
    /// Where there is a layOut().
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
    /// One number of each point or cell of the mesh. Where there is a layOut().
    std::span<const float> shown() const { return m_field->shown(); }
    const ColourScale &colours() const { return m_colours; }
    /// In the window, of the ink's colour.
    const TextImage &captionImage() { return m_annotation.captionImage(); }
    const std::array<double, 3> &ink() const { return m_annotation.ink(); }

private:
    bool followsInPlace(const data::Field &field, const ValuesBeside &beside) const;
    std::unique_ptr<FieldPicture> makePicture(const data::Field &field,
                                              const ViewSettings &settings);
    void showField();
    void showBody();
    void showPicture(std::unique_ptr<FieldPicture> picture);
    void applyStyle();
    void applyColours(const ColourScale &colours);
    void updateCaption();
    bool marksLowConfidence() const;
    bool isStill() const;
    double pixels() const { return m_fieldBox.width * m_fieldBox.height; }
    void markBeyond();
    OpenGl openGl();
    PieceBudget::Sort sort() const;

    Annotation m_annotation;
    Axes m_axes;
    AxisNames m_axisNames;
    Stage m_stage;
    FittedCamera m_camera{m_stage.renderer()};
    PieceBudget m_budget;

    std::unique_ptr<FieldOnMesh> m_field;
    std::unique_ptr<FieldPicture> m_picture; ///< of m_field; null until that has values
    ViewSettings m_view;
    ColourScale m_colours;
    std::string m_title, m_caption;
    std::optional<Colour> m_background;
    Pace m_pace = Pace::full;
    std::optional<OpenGl> m_openGl; ///< not known yet

    PixelBox m_fieldBox; ///< in the window
    Fonts m_fonts;
    std::array<double, 6> m_fittedTo{};     ///< the box of a body that moves
    std::array<double, 6> m_warpFittedTo{}; ///< of one that is drawn elsewhere than it is
    std::uint64_t m_geometryNumber = 0;
    std::optional<ValueRange> m_range; ///< of all values; none if none is a number
    std::shared_ptr<const std::vector<std::uint32_t>> m_visible;
    std::uint64_t m_visibleOf = 0; ///< geometry
};

} // namespace gridhelm::ui
