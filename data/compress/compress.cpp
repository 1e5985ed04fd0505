// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/compress/compress.h"

#include "data/compress/compress_scalar.h"
#include "data/compress/compress_vector.h"
#include "data/study/study_file.h"

namespace gridhelm::data {

CompressReport compress(StudyWriter &writer, const CompressOptions &options)
{
    return writer.file().guarded([&] {
        CompressReport report;
        if (writer.description().design == StudyDesign::scattered)
            return report; // which has no coefficients
        for (FieldIndex field = 0; field < writer.fields().size() && !report.cancelled; ++field) {
            if (writer.description().kind == StudyKind::scalar)
                compressScalarField(writer, field, options, report);
            else
                compressVectorField(writer, field, options, report);
        }
        return report;
    });
}

} // namespace gridhelm::data
