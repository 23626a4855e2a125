#include "io/report/view_page.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include "io/formats/json.hpp"
#include "io/report/html.hpp"
#include "io/report/palette.hpp"
#include "io/report/view_script.hpp"
#include "shapes/contact_scale.hpp"
#include "shapes/convex_polyhedron.hpp"

namespace granary {
namespace {

using Words = std::vector<std::uint16_t>;

constexpr double full = 65535;  // the largest of 16 bits

std::string packed(const Words& words) {
    std::string bytes;
    bytes.reserve(2 * words.size());
    for (const std::uint16_t w : words) bytes += static_cast<char>(w & 0xFF), bytes += static_cast<char>(w >> 8);
    return base64(bytes);
}

// The box of everything that is shown, and the ends of what colours show.
struct Extent {
    std::array<double, 3> lower{}, size{1, 1, 1};
    double radius = 0;                                                       // m, the largest of anything that is drawn
    double smallest = std::numeric_limits<double>::infinity(), largest = 0;  // m, of balls of equal volume
    double speed = 0, fast = 0;
    std::size_t bands = 0, materials = 0;
};

// Radius of the ball of equal volume over that of the ball around it.
double share_of_size(const ShapeTemplate& t) { return equivalent_radius(t) / t.outer_radius; }

Extent ends_of(const ViewData& view) {
    Extent e;
    std::array<double, 3> upper{};
    e.lower.fill(std::numeric_limits<double>::infinity()), upper.fill(-std::numeric_limits<double>::infinity());
    const auto add = [&](const std::array<float, 3>& x, double r) {
        for (std::size_t k = 0; k < 3; ++k)
            if (std::isfinite(x[k]))
                e.lower[k] = std::min(e.lower[k], x[k] - r), upper[k] = std::max(upper[k], x[k] + r);
    };
    std::vector<float> speeds;
    for (const ViewMoment& m : view.moments) {
        for (const auto& corner : m.corners) add(corner, 0);
        for (const ViewBall& b : m.wall_balls) add(b.x, b.radius), e.radius = std::max<double>(e.radius, b.radius);
        for (const ViewBall& b : m.balls) {
            add(b.x, b.radius);
            e.radius = std::max<double>(e.radius, b.radius);
            const double size = b.radius * (b.shape == 0 ? 1 : share_of_size(view.shapes[b.shape - 1u]));
            e.smallest = std::min(e.smallest, size), e.largest = std::max(e.largest, size);
            if (std::isfinite(b.speed)) speeds.push_back(b.speed), e.speed = std::max<double>(e.speed, b.speed);
            if (b.band != 65535) e.bands = std::max<std::size_t>(e.bands, b.band + std::size_t{1});
            e.materials = std::max<std::size_t>(e.materials, b.material + std::size_t{1});
        }
    }
    for (std::size_t k = 0; k < 3; ++k) e.size[k] = upper[k] > e.lower[k] ? upper[k] - e.lower[k] : 1;
    // The scale ends where all but a few are below: one ball that was shot away would leave the rest without colour.
    if (!speeds.empty()) {
        const auto at = speeds.begin() + static_cast<std::ptrdiff_t>(0.995 * static_cast<double>(speeds.size() - 1));
        std::nth_element(speeds.begin(), at, speeds.end());
        e.fast = *at > 0.02 * e.speed ? *at : e.speed;
    }
    return e;
}

std::uint16_t part(double value, double of) {
    if (!(of > 0) || !std::isfinite(value)) return 0;
    return static_cast<std::uint16_t>(std::lround(std::clamp(value / of, 0.0, 1.0) * full));
}

void add_place(Words& words, const std::array<float, 3>& x, const Extent& e) {
    for (std::size_t k = 0; k < 3; ++k) words.push_back(part(x[k] - e.lower[k], e.size[k]));
}

void add_ball(Words& words, const ViewBall& b, const Extent& e) {
    add_place(words, b.x, e);
    words.insert(words.end(), {part(b.radius, e.radius), part(b.speed, e.speed), b.material, b.band});
}

std::string balls_text(const std::vector<ViewBall>& balls, const Extent& e) {
    Words words;
    for (const ViewBall& b : balls)
        if (b.shape == 0) add_ball(words, b, e);
    return packed(words);
}

// Shape by shape, so that all copies of one are drawn at once: the numbers of a ball, its shape, its quaternion.
std::string grains_text(const std::vector<ViewBall>& balls, std::size_t shapes, const Extent& e) {
    std::vector<std::vector<const ViewBall*>> by_shape(shapes + 1);
    for (const ViewBall& b : balls) by_shape[b.shape].push_back(&b);
    Words words;
    for (std::size_t s = 1; s <= shapes; ++s)
        for (const ViewBall* b : by_shape[s]) {
            add_ball(words, *b, e);
            words.push_back(b->shape);
            for (const float q : b->orientation) words.push_back(part(0.5 * (1 + q), 1));
        }
    return packed(words);
}

// A template for a ball of radius 1 around it, in five digits: what is drawn of it.
Json drawn_template(const ShapeTemplate& t) {
    const auto digits = [&](double x) { return std::round(x / t.outer_radius * 1e5) / 1e5; };
    const auto list = [&](const Vec3d& v) { return Json{digits(v.x), digits(v.y), digits(v.z)}; };
    Json json{{"name", t.name}, {"share", share_of_size(t)}};
    if (t.kind == ShapeKind::ellipsoid) json["axes"] = list(t.semi_axes);
    for (const ClumpBall& b : t.balls)
        json["balls"].push_back({digits(b.centre.x), digits(b.centre.y), digits(b.centre.z), digits(b.radius)});
    if (t.polyhedron) {
        for (const Vec3d& corner : t.polyhedron->corners()) json["corners"].push_back(list(corner));
        for (std::size_t f = 0; f < t.polyhedron->faces().size(); ++f) {
            const auto ring = t.polyhedron->corners_of(f);
            json["faces"].push_back(std::vector<std::uint32_t>(ring.begin(), ring.end()));
        }
    }
    return json;
}

// No tag can begin in it, whatever a material is called.
std::string data_text(const RunFolder& run, const ViewData& view) {
    const Extent e = ends_of(view);
    Json json{{"lower", e.lower},       {"size", e.size},           {"gravity", run.gravity}, {"radius", e.radius},
              {"smallest", e.smallest}, {"largest", e.largest},     {"speed", e.speed},       {"fast", e.fast},
              {"bands", e.bands},       {"first", view.first_shown}};
    Json& shapes = json["shapes"] = Json::array();
    for (const ShapeTemplate& t : view.shapes) shapes.push_back(drawn_template(t));
    std::vector<std::string> names = run.materials;
    std::vector<int> used(e.materials, 0);
    for (const ViewMoment& m : view.moments)
        for (const ViewBall& b : m.balls) used[b.material] = 1;
    names.resize(e.materials);
    for (std::size_t k = 0; k < names.size(); ++k)
        if (names[k].empty()) names[k] = fmt::format("material {}", k);
    json["materials"] = std::count(used.begin(), used.end(), 1) > 1 ? names : std::vector<std::string>{};
    json["used"] = used;
    json["ramp"] = ramp;
    Json& moments = json["moments"] = Json::array();
    for (const ViewMoment& m : view.moments) {
        Words corners, triangles(m.triangles.begin(), m.triangles.end());
        for (const auto& c : m.corners) add_place(corners, c, e);
        moments.push_back({{"time", m.time},
                           {"word", m.word},
                           {"n_all", m.n_all},
                           {"balls", balls_text(m.balls, e)},
                           {"grains", grains_text(m.balls, view.shapes.size(), e)},
                           {"wall_balls", balls_text(m.wall_balls, e)},
                           {"corners", packed(corners)},
                           {"triangles", packed(triangles)}});
    }
    std::string text;
    for (const char c : json_line(json))
        text += c == '<' ? std::string("\\u003c") : c == '>' ? "\\u003e" : c == '&' ? "\\u0026" : std::string(1, c);
    return text;
}

}  // namespace

std::string view_script_source() {
    std::string bytes;
    for (const char* p = view_script_sha256; p[0] != 0 && p[1] != 0; p += 2)
        bytes += static_cast<char>(std::stoi(std::string(p, 2), nullptr, 16));
    return "'sha256-" + base64(bytes) + "'";
}

std::string view_figure(const RunFolder& run, const ViewData& view) {
    if (view.moments.empty()) return "";
    return fmt::format(
        "<h2 id=\"space\">3D view</h2>\n<figure class=\"card\"><div id=\"view\"><p class=\"soft\">The view needs a "
        "browser that runs "
        "the script in this page.</p></div><figcaption><p>Drag to rotate. Click, then use the wheel or two fingers to "
        "zoom. Drag with shift "
        "to move. At the end of the run, speeds belong to half a time step earlier.</p></figcaption></figure>\n"
        "<script type=\"application/json\" id=\"view-data\">{}</script>\n<script>{}</script>\n",
        data_text(run, view), view_script);
}

}  // namespace granary
