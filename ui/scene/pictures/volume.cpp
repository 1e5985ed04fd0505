// SPDX-License-Identifier: GPL-3.0-or-later
//
// A solid mesh as a cloud.
#include "data/study/geometry_fields.h"
#include "ui/scene/pictures/picture_kind.h"
#include "ui/scene/pictures/plane_options.h"

#include <vtkCallbackCommand.h>
#include <vtkCellData.h>
#include <vtkCellDataToPointData.h>
#include <vtkColorTransferFunction.h>
#include <vtkFixedPointVolumeRayCastMapper.h>
#include <vtkFloatArray.h>
#include <vtkGPUVolumeRayCastMapper.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPiecewiseFunction.h>
#include <vtkPointData.h>
#include <vtkSmartPointer.h>
#include <vtkUnsignedShortArray.h>
#include <vtkVolume.h>
#include <vtkVolumeMapper.h>
#include <vtkVolumeProperty.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>

namespace gridhelm::ui {
namespace {

/// Points of the image that is laid over a mesh that is none itself.
constexpr std::size_t volumePoints = 300000;

// What the image holds: 0 for nothing, else a place along the scale from 1 to `highest`.
constexpr unsigned short highest = 1024;

/// From so many values on several threads turn them into steps.
constexpr std::size_t worthThreads = 1000000;

// Pixels from ray to ray: in each direction.
constexpr double coarsest = 8;
constexpr double untried = 6; ///< while nobody knows how long it takes

/// Seconds for the rays of a picture.
double secondsAt(Pace pace)
{
    return pace == Pace::patient ? 0.08 : 0.04;
}

unsigned short stepOf(const ColourScale &scale, float value)
{
    if (std::isnan(value))
        return 0;
    const double place = std::clamp(placeOf(scale, value), 0.0, 1.0);
    return static_cast<unsigned short>(1 + std::lround(place * (highest - 1)));
}

/// That of the mesh, which is made for the first volume.
std::shared_ptr<const MeshSampling> samplingOf(const PictureSource &source)
{
    if (!source.sampling)
        source.sampling =
            std::make_shared<const MeshSampling>(source.mesh, source.shape, volumePoints);
    return source.sampling;
}

/// The higher the value, the more opaque; where the lowest value is, and where values are no
/// numbers, there is nothing. Where OpenGL is software rays are cast without it, which is faster.
class Volume : public FieldPicture
{
public:
    Volume(const PictureSource &source, data::Association association,
           const ViewSettings &settings);

    std::string caption() const override { return m_caption; }
    void show(const PictureValues &values) override;

    /// Chooses, from how long the last picture has taken, how many pixels a ray is for.
    void setPace(Pace pace, double pixels, OpenGl by) override;
    bool isCoarse() const override { return m_apart > 1; }
    bool wouldBeFiner(Pace pace, double pixels) const override
    {
        return pixelsPerRayAt(pace, pixels) < m_apart;
    }
    double secondsWhenFull(double pixels) const override { return m_perPixel * pixels; }

private:
    /// One number of each entity of the mesh.
    void setValues(std::span<const float> shown, const ColourScale &scale);
    /// `opacity` of the highest value, on a way of a tenth of the mesh's longest side.
    void setColours(const ColourScale &scale, double opacity);
    /// Pixels from ray to ray; 1: as good as it gets.
    double pixelsPerRayAt(Pace pace, double pixels) const;
    template <typename Mapper>
    void makeMapper();
    void measure();

    std::shared_ptr<const MeshSampling> m_sampling;
    vtkSmartPointer<vtkDataSet> m_cells;      ///< the mesh with values of its cells
    vtkSmartPointer<vtkFloatArray> m_ofCells; ///< null if the values are at points
    vtkSmartPointer<vtkCellDataToPointData> m_toPoints;
    std::vector<float> m_sampled; ///< unless the mesh is an image
    vtkSmartPointer<vtkImageData> m_image;
    /// Made when it is needed first: by the thread that draws, as it takes a tenth of a second.
    vtkSmartPointer<vtkVolumeMapper> m_mapper;
    std::function<void(double pixels)> m_setApart; ///< of its rays
    vtkSmartPointer<vtkVolume> m_volume;
    vtkSmartPointer<vtkPlane> m_clip; ///< null: all of it is shown
    std::string m_caption;
    double m_longest = 1; ///< side of the mesh
    double m_apart = 1;   ///< pixels from ray to ray
    double m_pixels = 0;  ///< that the field has
    std::chrono::steady_clock::time_point m_began;
    double m_perPixel = 0; ///< seconds for one ray; 0: not known yet
};

Volume::Volume(const PictureSource &source, data::Association association,
               const ViewSettings &settings)
    : m_sampling(samplingOf(source))
    , m_image(vtkSmartPointer<vtkImageData>::New())
    , m_volume(vtkSmartPointer<vtkVolume>::New())
{
    auto &mesh = source.mesh;
    if (association == data::Association::cell) {
        m_cells = vtkSmartPointer<vtkDataSet>::Take(mesh.NewInstance());
        m_cells->CopyStructure(&mesh);
        m_ofCells = vtkSmartPointer<vtkFloatArray>::New();
        m_ofCells->SetNumberOfValues(mesh.GetNumberOfCells());
        m_ofCells->FillValue(0);
        m_cells->GetCellData()->SetScalars(m_ofCells);
        m_toPoints = vtkSmartPointer<vtkCellDataToPointData>::New();
        m_toPoints->SetInputData(m_cells);
    }
    m_image->SetDimensions(m_sampling->points().data());
    m_image->SetOrigin(m_sampling->origin().data());
    m_image->SetSpacing(m_sampling->spacing().data());
    vtkNew<vtkUnsignedShortArray> steps;
    steps->SetNumberOfValues(static_cast<vtkIdType>(m_sampling->count()));
    steps->FillValue(0);
    m_image->GetPointData()->SetScalars(steps);

    const double *bounds = m_image->GetBounds();
    m_longest = std::max({bounds[1] - bounds[0], bounds[3] - bounds[2], bounds[5] - bounds[4]});
    m_volume->PickableOff();
    auto &property = *m_volume->GetProperty();
    property.SetInterpolationTypeToLinear();
    property.ShadeOff();
    property.SetScalarOpacityUnitDistance(m_longest / 10);
    if (const auto clip = clipPlaneOf(source.shape, settings)) {
        m_clip = planeOf(*clip);
        m_caption = clipCaptionOf(clip->plane, settings);
    }
    m_parts.volume = m_volume;
    m_parts.followsMesh = false;
    m_parts.association = association;
}

void Volume::show(const PictureValues &values)
{
    if (values.distance.empty()) {
        setValues(values.shown, values.colours);
    } else {
        std::vector<float> inBody(values.shown.begin(), values.shown.end());
        data::fillOutside(values.distance, inBody, std::numeric_limits<float>::quiet_NaN());
        setValues(inBody, values.colours);
    }
    setColours(values.colours, values.settings.opacity);
}

void Volume::setValues(std::span<const float> shown, const ColourScale &scale)
{
    auto values = shown; // of the mesh's points, then of the image's
    if (m_toPoints) {
        std::copy(shown.begin(), shown.end(), m_ofCells->GetPointer(0));
        m_ofCells->Modified();
        m_cells->Modified();
        m_toPoints->Update();
        auto *atPoints =
            vtkFloatArray::SafeDownCast(m_toPoints->GetOutput()->GetPointData()->GetScalars());
        values = {atPoints->GetPointer(0), static_cast<std::size_t>(atPoints->GetNumberOfValues())};
    }
    if (!m_sampling->isImage()) {
        m_sampled.resize(m_sampling->count());
        m_sampling->sample(values, m_sampled);
        values = m_sampled;
    }
    auto *steps = vtkUnsignedShortArray::SafeDownCast(m_image->GetPointData()->GetScalars());
    auto *out = steps->GetPointer(0);
    const auto count = values.size();
#pragma omp parallel for if (count > worthThreads)
    for (std::size_t i = 0; i < count; ++i)
        out[i] = stepOf(scale, values[i]);
    steps->Modified();
    m_image->Modified();
}

void Volume::setColours(const ColourScale &scale, double opacity)
{
    vtkNew<vtkColorTransferFunction> colours;
    vtkNew<vtkPiecewiseFunction> opacities;
    constexpr int nodes = 128;
    for (int i = 0; i <= nodes; ++i) {
        const double place = static_cast<double>(i) / nodes;
        const double step = 1 + place * (highest - 1);
        const Colour c = colourAt(scale, place);
        colours->AddRGBPoint(step, c[0] / 255.0, c[1] / 255.0, c[2] / 255.0);
        opacities->AddPoint(step, opacity * place);
    }
    opacities->AddPoint(0, 0);
    m_volume->GetProperty()->SetColor(colours);
    m_volume->GetProperty()->SetScalarOpacity(opacities);
}

template <typename Mapper>
void Volume::makeMapper()
{
    const auto mapper = vtkSmartPointer<Mapper>::New();
    mapper->AutoAdjustSampleDistancesOff(); // it goes by times, so that pictures would differ
    mapper->SetSampleDistance(static_cast<float>(m_longest / 150));
    if constexpr (requires { mapper->SetInteractiveSampleDistance(1.0F); })
        mapper->SetInteractiveSampleDistance(static_cast<float>(m_longest / 75));
    m_setApart = [mapper](double pixels) {
        mapper->SetImageSampleDistance(static_cast<float>(pixels));
    };
    m_mapper = mapper;
    m_mapper->SetInputData(m_image);
    if (m_clip)
        m_mapper->AddClippingPlane(m_clip);
    m_volume->SetMapper(m_mapper);
    measure();
}

void Volume::measure()
{
    using Clock = std::chrono::steady_clock;
    const auto on = [this](unsigned long event, auto what) {
        vtkNew<vtkCallbackCommand> command;
        command->SetClientData(this);
        command->SetCallback(what);
        m_mapper->AddObserver(event, command);
    };
    on(vtkCommand::VolumeMapperRenderStartEvent,
       [](vtkObject *, unsigned long, void *self, void *) {
           static_cast<Volume *>(self)->m_began = Clock::now();
       });
    on(vtkCommand::VolumeMapperRenderEndEvent, [](vtkObject *, unsigned long, void *self, void *) {
        auto &volume = *static_cast<Volume *>(self);
        const std::chrono::duration<double> took = Clock::now() - volume.m_began;
        const double apart = volume.m_apart;
        volume.m_perPixel = took.count() * apart * apart / std::max(volume.m_pixels, 1.0);
    });
}

double Volume::pixelsPerRayAt(Pace pace, double pixels) const
{
    if (pace == Pace::full)
        return 1;
    if (m_perPixel == 0)
        return untried;
    const double wanted = std::sqrt(m_perPixel * pixels / secondsAt(pace));
    // In steps, so that it does not change with every picture.
    return std::clamp(std::ceil(4 * wanted) / 4, 1.0, coarsest);
}

void Volume::setPace(Pace pace, double pixels, OpenGl by)
{
    const bool isHardware = by == OpenGl::hardware;
    if (!m_mapper && isHardware)
        makeMapper<vtkGPUVolumeRayCastMapper>();
    else if (!m_mapper)
        makeMapper<vtkFixedPointVolumeRayCastMapper>();
    m_apart = isHardware ? 1 : pixelsPerRayAt(pace, pixels);
    m_setApart(m_apart);
    m_pixels = pixels;
}

constexpr std::array volumeOptions{&opacityOption, &clipOption, &clipInvertOption, &normalOption,
                                   &positionOption};

} // namespace

constinit const PictureKind volumeKind{
    .id = "volume",
    .name = "volume",
    .summary = "solid meshes: clouds, the more opaque the higher the value (--opacity, --clip)",
    .options = volumeOptions,
    .unavailableReason = [](bool isFlat, const data::Field &) -> std::string {
        return isFlat
                   ? "A volume needs a solid mesh; this one is flat: choose another view, such as "
                     "contour"
                   : "";
    },
    .make = [](const PictureSource &source, const data::Field &field,
               const ViewSettings &settings) -> std::unique_ptr<FieldPicture> {
        return std::make_unique<Volume>(source, field.association, settings);
    },
};

} // namespace gridhelm::ui
