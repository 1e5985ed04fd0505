#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# tests/gpu/compute-sanitizer.sh [--build FOLDER] [TOOL...]: NVIDIA's compute-sanitizer, memcheck,
# racecheck and initcheck unless tools are named, over every kernel at sizes that it can follow. Needs a
# GPU, the CUDA toolkit, and the programs; for a machine without a display:
#   cmake --preset node && cmake --build build/node --target gpu-small_tests
# Fails if a tool finds anything, or a test fails. Logs are in FOLDER/compute-sanitizer.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1

build=build/node
if [ "${1:-}" = --build ]; then
    build=$2
    shift 2
fi
tools=("$@")
[ ${#tools[@]} -gt 0 ] || tools=(memcheck racecheck initcheck)
sanitizer=$(command -v compute-sanitizer || echo /usr/local/cuda/bin/compute-sanitizer)
[ -x "$sanitizer" ] || { echo "there is no compute-sanitizer: install the CUDA toolkit" >&2; exit 2; }

# Programs, their tests, and those of their functions that are small: tests/gpu/CMakeLists.txt builds the
# same programs.
runs=(
    "gpu tst_readback"
    "gpu tst_cuda_answers"
    "gpu_solvers tst_jacobi naiveIsLiteral tunedMatchesNaive2D tunedMatchesNaive3D temporalMatchesNaive"
    "gpu_solvers tst_jacobi_async async3UpdatesInPlace"
    "gpu_solvers tst_sor_sweeps oneSubdomainIsPlainSor fastIsLiteral residualIsTheReferences redBlackKeepsSymmetry chunksOfARequestDoNotMatter"
    "gpu_solvers tst_cuda_poisson boxesMatchTheCpu reportsDoNotDisturb sorMatchesTheCpu"
    "gpu_solvers tst_pmm matchesReference symmetricSourceGivesSymmetricField pointBetweenNodesReachesItsCell"
    "gpu tst_cuda_pmm everyWayGivesTheSameTimesInSmallBoxes"
    "gpu tst_cuda_sparse manyPointsOfOtherGrids manyPointsOfRegularGridsOfDegrees manyPointsOfOtherBases picturesOfOtherBases sharedDimensionsOfManyPoints grownGridsThatAreNotRegularHaveNoTail matricesLargerThanTheDevice"
    "numeric tst_hierarchization"
    "numeric tst_other_bases coefficientsAreTheOracles valuesAndIndicatorsAreTheOracles"
    "numeric tst_mixed_bases longPolesMatchTheReference scatteredPointsMatchTheReference productsOfAxesMatchTheReference gradientsMatchTheReference"
    "numeric tst_interpolation"
    "numeric tst_vector_grid"
    "numeric tst_surrogate"
    "numeric tst_gradient"
)
logs=$build/compute-sanitizer
mkdir -p "$logs"
export QTEST_FUNCTION_TIMEOUT=3600000 OMP_NUM_THREADS=${OMP_NUM_THREADS:-4}
status=0
for tool in "${tools[@]}"; do
    for run in "${runs[@]}"; do
        read -r -a words <<<"$run"
        program=$build/test/${words[0]}
        if [ ! -x "$program" ]; then
            echo "$tool: $program was not built" >&2
            status=1
            continue
        fi
        log=$logs/$tool-${words[0]}-${words[1]}.log
        start=$SECONDS
        timeout "${GRIDHELM_SANITIZER_SECONDS:-900}" \
            "$sanitizer" --tool "$tool" --error-exitcode 99 "$program" "${words[@]:1}" >"$log" 2>&1
        code=$?
        case $code in
            0) result=clean ;;
            99) result="FOUND" ;;
            124) result="TOO SLOW" ;;
            *) result="FAILED ($code)" ;;
        esac
        [ $code -eq 0 ] || status=1
        printf '%-10s %-24s %5d s  %s; %s\n' "$tool" "${words[1]}" $((SECONDS - start)) "$result" \
            "$(grep -E '^Totals|SUMMARY' "$log" | tr '\n' ' ')"
    done
done
exit $status
