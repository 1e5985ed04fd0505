// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewer/tiff_file.h"

#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkTIFFWriter.h>

#include <algorithm>

namespace gridhelm::ui {

bool writeTiff(const QImage &picture, const std::string &path)
{
    const int components = picture.hasAlphaChannel() ? 4 : 3;
    // VTK marks opacity as associated, which is what premultiplied means.
    const auto lines = picture.convertToFormat(
        components == 4 ? QImage::Format_RGBA8888_Premultiplied : QImage::Format_RGB888);
    vtkNew<vtkImageData> image;
    image->SetDimensions(lines.width(), lines.height(), 1);
    image->AllocateScalars(VTK_UNSIGNED_CHAR, components);
    for (int y = 0; y < lines.height(); ++y) // VTK's first line is the lowest
        std::copy_n(lines.constScanLine(lines.height() - 1 - y), components * lines.width(),
                    static_cast<unsigned char *>(image->GetScalarPointer(0, y, 0)));
    vtkNew<vtkTIFFWriter> writer;
    writer->SetFileName(path.c_str());
    writer->SetCompressionToDeflate();
    writer->SetInputData(image);
    writer->Write();
    return writer->GetErrorCode() == 0;
}

} // namespace gridhelm::ui
