// Files of text, and STL in either form.
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>
#include "core/errors.hpp"
#include "filling/bodies_file.hpp"
#include "fuzz/harness.hpp"
#include "io/formats/json.hpp"
#include "io/formats/motion_file.hpp"
#include "io/formats/stl_file.hpp"
#include "io/report/run_folder.hpp"
#include "run/run_status.hpp"
#include "walls/mesh_grid.hpp"
#include "walls/triangle_mesh.hpp"

namespace granary::fuzz {
namespace {

bool finite(const Vec3d& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

}  // namespace

void stl_target(Bytes bytes) {
    try {
        const TriangleMesh mesh(parse_stl(bytes, "fuzz.stl"));
        const MeshReport& r = mesh.report();
        must(r.triangles + r.degenerate + r.duplicate == r.read, "each triangle is kept or counted as left out");
        for (std::uint32_t t = 0; t < mesh.size(); ++t) {
            for (const std::uint32_t c : mesh.corners_of(t)) must(c < r.corners, "a corner of a triangle is there");
            for (const std::uint32_t e : mesh.edges_of(t)) must(e < r.edges, "an edge of a triangle is there");
            must(finite(mesh.frame(t).normal), "a triangle that is kept has a normal");
        }
        must(remarks_on(r).size() <= 4, "a few remarks");
        const double size = norm(mesh.upper() - mesh.lower());
        if (!std::isfinite(size)) return;
        const MeshGrid grid(mesh, 0.05 * size);
        const Vec3d inside = mesh.frame(0).a;
        must(!grid.near(inside).empty(), "a triangle is found at its corner");
        grid.near(1e3 * inside), grid.near({-HUGE_VAL, HUGE_VAL, NAN});
    } catch (const InputError&) {}
}

void bodies_target(Bytes bytes) {
    try {
        FileBodies file;
        file.path = one_file().hold(bytes), file.density = 1000, file.scale = 1e-3;
        const BodiesFile whole(file);
        std::vector<NewBody> balls;
        std::uint64_t n = 0;
        bool wrong = false;
        for (std::uint64_t p = 0; p < 3 && !wrong; ++p) {
            const BodiesPart part = whole.read(p, 3);
            wrong = part.problem.has_value(), n += part.balls;
            for (std::size_t k = 0; k < part.slices(); ++k) {
                part.slice(k, n, balls);
                for (const NewBody& b : balls) {
                    must(b.radius > 0 && std::isfinite(b.radius) && finite(b.position),
                         "a ball has a place and a radius");
                    must(b.mass > 0 && std::isfinite(b.mass) && b.inertia > 0, "a ball has a mass");
                }
            }
        }
        const BodiesPart all = whole.read(0, 1);
        must(all.problem.has_value() == wrong && (wrong || all.balls == n), "parts hold what the whole holds");
    } catch (const InputError&) {}
}

void motion_target(Bytes bytes) {
    const std::string& path = one_file().hold(bytes);
    for (const int columns : {2, 4}) try {
            MotionTable table = read_motion_table(path, columns);
            must(table.times.size() >= 2 && table.times.size() == table.values.size(), "a table has rows");
            for (const bool smooth : {false, true}) {
                table.smooth = smooth;
                for (const double t :
                     {-1.0, 0.0, 1e-9, 0.5, 1e9, table.times.front(), table.times.back(), table.times[1]}) {
                    const auto row = table.at(t);
                    must(finite(row.value) && finite(row.rate), "a motion is somewhere at all times");
                }
                must(finite(table.greatest_rate()), "a motion has a greatest speed");
            }
        } catch (const InputError&) {}
}

void json_target(Bytes bytes) {
    status_word(bytes);
    phases_in(bytes);
    const Json value = parse_json(bytes);
    if (value.is_discarded()) return;
    const std::string written = json_lines(value);
    const Json again = parse_json(written);
    must(!again.is_discarded() && json_lines(again) == written, "what is written reads back");
}

}  // namespace granary::fuzz
