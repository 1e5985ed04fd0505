// SPDX-License-Identifier: GPL-3.0-or-later
//
// As much of NVIDIA's management library as is asked for, with one GPU at 0000:17:00.0 that
// consumes half a joule from one question to the next, and one at 0000:18:00.0 that has no counter.
#include <cstring>

namespace {

bool isInitialised = false;
unsigned long long millijoules = 1000;
char counting = 0, silent = 0; // handles are their addresses

constexpr int success = 0, notInitialised = 1, notSupported = 3, notFound = 6;

} // namespace

extern "C" {

int nvmlInit_v2()
{
    isInitialised = true;
    return success;
}

int nvmlShutdown()
{
    isInitialised = false;
    return success;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char *busId, void **device)
{
    if (!isInitialised)
        return notInitialised;
    *device = nullptr;
    if (std::strcmp(busId, "0000:17:00.0") == 0)
        *device = &counting;
    if (std::strcmp(busId, "0000:18:00.0") == 0)
        *device = &silent;
    return *device != nullptr ? success : notFound;
}

int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *energy)
{
    if (!isInitialised)
        return notInitialised;
    if (device != &counting)
        return notSupported;
    *energy = millijoules += 500;
    return success;
}
}
