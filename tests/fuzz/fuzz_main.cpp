// Entry of libFuzzer. Which target is told by the environment: GRANARY_FUZZ=stl (jobs/fuzz sets it).
#include <Kokkos_Core.hpp>
#include <sanitizer/lsan_interface.h>
#include <boost/mpi/environment.hpp>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include "fuzz/harness.hpp"

namespace {

const granary::fuzz::Target* target = nullptr;

// Until the process ends: libFuzzer leaves by exit().
void begin_mpi() {
    static boost::mpi::environment mpi;
    static Kokkos::ScopeGuard kokkos;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    const char* name = std::getenv("GRANARY_FUZZ");
    for (const granary::fuzz::Target& t : granary::fuzz::targets())
        if (name != nullptr && std::string_view(name) == t.name) target = &t;
    if (target == nullptr) {
        std::fprintf(stderr, "GRANARY_FUZZ=%s names an unknown target (expected one of", name == nullptr ? "" : name);
        for (const granary::fuzz::Target& t : granary::fuzz::targets()) std::fprintf(stderr, " %s", t.name);
        std::fprintf(stderr, ")\n");
        std::exit(2);
    }
    const __lsan::ScopedDisabler others;  // what the library for messages keeps until the end is no leak of an input
    begin_mpi();
    target->run({});  // what is made once is made now
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    target->run({reinterpret_cast<const char*>(data), size});
    return 0;
}
