#include "bench/bench_shapes.hpp"
#include <algorithm>
#include "bench/shapes/ellipsoids.hpp"

namespace granary {
namespace {

struct ShapePart {
    const char* name;
    std::string (*run)(std::uint64_t pairs, std::uint64_t repeats);
};
constexpr ShapePart all_parts[] = {
    {"ellipsoids", bench_ellipsoids},
};

}  // namespace

std::vector<std::string> shape_parts() {
    std::vector<std::string> names;
    for (const ShapePart& p : all_parts) names.emplace_back(p.name);
    return names;
}

std::string bench_shapes(const boost::mpi::communicator& comm, const BenchShapes& options) {
    std::string text;
    if (comm.rank() != 0) return text;
    for (const ShapePart& p : all_parts)
        if (options.parts.empty() || std::count(options.parts.begin(), options.parts.end(), p.name) != 0)
            text += p.run(options.pairs, options.repeats);
    return text;
}

}  // namespace granary
