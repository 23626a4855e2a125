#include "shapes/saved_templates.hpp"

#include <fmt/format.h>
#include <cmath>
#include "core/digest.hpp"
#include "core/errors.hpp"
#include "shapes/clump.hpp"
#include "shapes/convex_polygon.hpp"
#include "shapes/convex_polyhedron.hpp"
#include "shapes/turned_shape.hpp"

namespace granary {
namespace {

constexpr const char *names_name = "shapes.names", *prints_name = "shapes.fingerprints",
                     *numbers_name = "shapes.numbers", *faces_name = "shapes.faces", *reals_name = "shapes.reals";
constexpr std::size_t most_templates = 60000;  // as many as a case may have

[[noreturn]] void damaged(const std::string& why) { throw InputError("the shapes in the state are damaged: " + why); }

// All numbers of a list, one after the other; asking for more than there are is an error.
template <class T> class Reader {
  public:
    Reader(const std::vector<T>& list, const char* name) : list_(list), name_(name) {}
    T next() {
        if (at_ == list_.size()) damaged(fmt::format("{} is too short", name_));
        return list_[at_++];
    }
    std::size_t next_count(std::size_t most) {
        const T n = next();
        if (n > most) damaged(fmt::format("{} has the count {}, at most {} make sense", name_, n, most));
        return static_cast<std::size_t>(n);
    }
    void expect_end() const {
        if (at_ != list_.size()) damaged(fmt::format("{} is too long", name_));
    }

  private:
    const std::vector<T>& list_;
    const char* name_;
    std::size_t at_ = 0;
};

// One list of members for both directions: calls io(number) for each real number of the template, whose lists have
// their lengths. polyhedron, polygon: what they are made from.
template <class Io> void for_each_real(ShapeTemplate& t, ConvexPolyhedron::Finished& polyhedron,
                                       ConvexPolygon::Finished& polygon, Io&& io) {
    const auto all_of = [&](auto&... numbers) { (io(numbers), ...); };
    const auto vec = [&](Vec3d& v) { all_of(v.x, v.y, v.z); };
    all_of(t.outer_radius, t.volume), vec(t.inertia_per_mass), vec(t.semi_axes), io(t.thickness);
    all_of(t.as_given.w, t.as_given.x, t.as_given.y, t.as_given.z);
    for (ClumpBall& b : t.balls) vec(b.centre), io(b.radius);
    if (!polyhedron.corners.empty()) {
        all_of(polyhedron.volume, polyhedron.equivalent_radius);
        vec(polyhedron.inertia_per_mass), vec(polyhedron.user_centroid);
        for (Vec3d& axis : polyhedron.user_axes) vec(axis);
        for (Vec3d& corner : polyhedron.corners) vec(corner);
    }
    if (!polygon.corners.empty()) {
        all_of(polygon.area, polygon.polar_per_mass, polygon.outer_radius, polygon.equivalent_radius);
        for (Vec2d& corner : polygon.corners) all_of(corner.x, corner.y);
    }
}

ShapeTemplate next_template(const std::string& name, Reader<std::uint64_t>& numbers, Reader<std::uint64_t>& faces,
                            Reader<double>& reals) {
    ShapeTemplate t;
    t.name = name;
    t.kind = static_cast<ShapeKind>(numbers.next_count(static_cast<std::size_t>(ShapeKind::clump)));
    t.balls.resize(numbers.next_count(most_clump_balls));
    ConvexPolyhedron::Finished polyhedron;
    ConvexPolygon::Finished polygon;
    polyhedron.corners.resize(numbers.next_count(ConvexPolyhedron::most_corners));
    polyhedron.faces.resize(numbers.next_count(ConvexPolyhedron::most_faces));
    polygon.corners.resize(numbers.next_count(ConvexPolygon::most_corners));
    const auto normal = static_cast<int>(numbers.next_count(2));
    for (auto& face : polyhedron.faces) {
        face.resize(faces.next_count(ConvexPolyhedron::most_corners_of_a_face));
        for (std::uint32_t& corner : face)
            corner = static_cast<std::uint32_t>(faces.next_count(ConvexPolyhedron::most_corners));
    }
    for_each_real(t, polyhedron, polygon, [&](double& x) {
        x = reals.next();
        if (!std::isfinite(x)) damaged(fmt::format("\"{}\" has a number that is not finite", name));
    });
    bool good = t.kind != ShapeKind::ball && t.outer_radius > 0 && t.volume > 0 && t.inertia_per_mass.x > 0 &&
                t.inertia_per_mass.y > 0 && t.inertia_per_mass.z > 0;
    const Vec3d& a = t.semi_axes;
    good &= t.kind != ShapeKind::ellipsoid || (a.x > 0 && a.y > 0 && a.z > 0);
    good &= (t.kind == ShapeKind::clump) == !t.balls.empty() && (normal == 0 || !polygon.corners.empty());
    good &= (t.kind == ShapeKind::polyhedron) == !polyhedron.corners.empty();
    for (const ClumpBall& b : t.balls) good &= b.radius > 0 && norm(b.centre) + b.radius <= 1.001 * t.outer_radius;
    good &= std::abs(dot(t.as_given, t.as_given) - 1) < 1e-6;
    if (!good) damaged(fmt::format("\"{}\" is no grain", name));
    try {
        if (!polyhedron.corners.empty()) t.polyhedron = std::make_shared<const ConvexPolyhedron>(name, polyhedron);
        if (!polygon.corners.empty()) t.polygon = std::make_shared<const ConvexPolygon>(name, polygon, normal);
    } catch (const InputError& e) {
        damaged(e.what());
    }
    return t;
}

}  // namespace

ShapeFingerprint fingerprint_of(const ShapeTemplate& t) {
    RecordHash hash(RecordHash::Kind::surface);
    const auto vec = [&](const Vec3d& v) { hash.take(v.x), hash.take(v.y), hash.take(v.z); };
    hash.take(static_cast<std::uint64_t>(t.kind));
    hash.take(t.outer_radius), hash.take(t.volume), vec(t.inertia_per_mass);
    if (t.kind == ShapeKind::ellipsoid) vec(t.semi_axes);
    for (const ClumpBall& b : t.balls) vec(b.centre), hash.take(b.radius);
    if (t.polyhedron) {
        for (const Vec3d& corner : t.polyhedron->corners()) vec(corner);
        for (std::size_t f = 0; f < t.polyhedron->faces().size(); ++f) {
            hash.take(std::uint64_t{t.polyhedron->corners_of(f).size()});
            for (const std::uint32_t corner : t.polyhedron->corners_of(f)) hash.take(std::uint64_t{corner});
        }
    }
    if (t.polygon) {
        hash.take(static_cast<std::uint64_t>(t.polygon->normal())), hash.take(t.thickness);
        for (const Vec2d& corner : t.polygon->corners()) hash.take(corner.x), hash.take(corner.y);
    }
    return {hash.a(), hash.b()};
}

void save_templates(std::span<const ShapeTemplate> shapes, const Axes& axes, SavedState& to) {
    if (shapes.empty()) return;
    auto& names = to.texts[names_name];
    auto &prints = to.integers[prints_name], &numbers = to.integers[numbers_name], &faces = to.integers[faces_name];
    auto& reals = to.reals[reals_name];
    names.clear(), prints.clear(), numbers.clear(), faces.clear(), reals.clear();
    for (const ShapeTemplate& shape : shapes) {
        ShapeTemplate t = turned_out(shape, axes);
        names.push_back(t.name);
        for (const std::uint64_t word : fingerprint_of(t)) prints.push_back(word);
        auto polyhedron = t.polyhedron ? t.polyhedron->finished() : ConvexPolyhedron::Finished();
        auto polygon = t.polygon ? t.polygon->finished() : ConvexPolygon::Finished();
        for (const std::size_t n :
             {static_cast<std::size_t>(t.kind), t.balls.size(), polyhedron.corners.size(), polyhedron.faces.size(),
              polygon.corners.size(), static_cast<std::size_t>(t.polygon ? t.polygon->normal() : 0)})
            numbers.push_back(n);
        for (const auto& face : polyhedron.faces) {
            faces.push_back(face.size());
            faces.insert(faces.end(), face.begin(), face.end());
        }
        for_each_real(t, polyhedron, polygon, [&](double x) { reals.push_back(x); });
    }
}

bool has_templates(const SavedState& from) { return from.texts.contains(names_name); }

std::vector<ShapeTemplate> templates_in(const SavedState& from) {
    std::vector<std::string> names;
    std::vector<std::uint64_t> prints, numbers, faces;
    std::vector<double> reals;
    StateLoader io(from);
    io(names_name, names), io(prints_name, prints), io(numbers_name, numbers), io(faces_name, faces);
    io(reals_name, reals);
    if (names.size() > most_templates || prints.size() != 2 * names.size())
        damaged(fmt::format("{} names and {} words of fingerprints", names.size(), prints.size()));
    Reader<std::uint64_t> all_numbers(numbers, numbers_name), all_faces(faces, faces_name);
    Reader<double> all_reals(reals, reals_name);
    std::vector<ShapeTemplate> made;
    for (std::size_t k = 0; k < names.size(); ++k) {
        made.push_back(next_template(names[k], all_numbers, all_faces, all_reals));
        if (fingerprint_of(made.back()) != ShapeFingerprint{prints[2 * k], prints[2 * k + 1]})
            damaged(fmt::format("\"{}\" has another fingerprint than was noted", names[k]));
    }
    all_numbers.expect_end(), all_faces.expect_end(), all_reals.expect_end();
    return made;
}

}  // namespace granary
