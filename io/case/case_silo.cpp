#include "io/case/case_silo.hpp"
#include <algorithm>
#include <cmath>
#include <numbers>
#include "core/elementary.hpp"

namespace granary {
namespace {

// Half the lengths of the bin along x and y.
std::array<double, 2> half_lengths(const SiloSpec& s) {
    if (s.bin == BinType::cylinder) return {s.d_c / 2, s.d_c / 2};
    return {s.width / 2, s.depth / 2};
}

// Makes the walls of one silo. Coordinates are from its axis and the height of its outlet.
class Builder {
  public:
    explicit Builder(const SiloSpec& s) : s_(s), x_(half_lengths(s)[0]), y_(half_lengths(s)[1]) {}

    std::vector<WallSpec> walls() {
        bin();
        switch (s_.hopper) {
            case HopperType::cone: cone(); break;
            case HopperType::wedge: wedge(); break;
            case HopperType::flat: s_.outlet == OpeningType::circle ? round_floor() : slotted_floor(); break;
        }
        gate();
        return std::move(walls_);
    }

  private:
    Vec3d place(double x, double y, double z) const { return {s_.centre[0] + x, s_.centre[1] + y, s_.bottom + z}; }
    WallSpec& add(WallType type, const char* name) {
        WallSpec w;
        w.type = type, w.name = name, w.material = s_.material, w.of_silo = true;
        walls_.push_back(w);
        return walls_.back();
    }
    WallSpec& rectangle(const char* name, const Vec3d& corner, const Vec3d& edge_a, const Vec3d& edge_b) {
        WallSpec& w = add(WallType::rectangle, name);
        w.corner = corner, w.edge_a = edge_a, w.edge_b = edge_b;
        return w;
    }
    // Between two heights, from the x and y of one corner along one edge.
    void upright(const char* name, double x, double y, const Vec3d& edge, double from, double to) {
        rectangle(name, place(x, y, from), edge, {0, 0, to - from});
    }

    void bin() {
        const double from = s_.h_h, to = s_.h_h + s_.h_c;
        if (s_.bin == BinType::cylinder) {
            WallSpec& w = add(WallType::cylinder, "cylinder");
            w.bottom = place(0, 0, from), w.top = place(0, 0, to), w.radius = s_.d_c / 2;
            return;
        }
        upright("bin-left", -x_, -y_, {0, s_.depth, 0}, from, to);
        upright("bin-right", x_, -y_, {0, s_.depth, 0}, from, to);
        upright("bin-front", -x_, -y_, {s_.width, 0, 0}, from, to);
        upright("bin-back", -x_, y_, {s_.width, 0, 0}, from, to);
    }

    void cone() {
        WallSpec& w = add(WallType::cone, "cone");
        w.bottom = place(0, 0, 0), w.top = place(0, 0, s_.h_h);
        w.bottom_radius = s_.d_h / 2, w.top_radius = s_.d_c / 2;
    }

    void wedge() {
        const double slot = s_.outlet_width / 2;
        rectangle("wedge-left", place(-slot, -y_, 0), {0, s_.depth, 0}, {slot - x_, 0, s_.h_h});
        rectangle("wedge-right", place(slot, -y_, 0), {0, s_.depth, 0}, {x_ - slot, 0, s_.h_h});
        upright("wedge-front", -x_, -y_, {s_.width, 0, 0}, 0, s_.h_h);
        upright("wedge-back", -x_, y_, {s_.width, 0, 0}, 0, s_.h_h);
    }

    // An annulus around the outlet that reaches to the farthest point of the floor.
    void round_floor() {
        const double x = std::abs(s_.outlet_offset[0]), y = std::abs(s_.outlet_offset[1]);
        WallSpec& w = add(WallType::annulus, "floor");
        w.centre = place(s_.outlet_offset[0], s_.outlet_offset[1], 0), w.normal = {0, 0, 1};
        w.inner_radius = s_.d_h / 2;
        w.outer_radius =
            s_.bin == BinType::cylinder ? elementary::hypot(x, y) + s_.d_c / 2 : elementary::hypot(x + x_, y + y_);
    }

    // Left and right of the slot over the whole depth, before and behind it between those two.
    void slotted_floor() {
        const double w = s_.outlet_width, l = s_.outlet_length.value_or(0.0);
        const double left = s_.outlet_offset[0] - w / 2, front = s_.outlet_offset[1] - l / 2;
        const auto piece = [&](const char* name, double x0, double y0, double along_x, double along_y) {
            const bool has_area = along_x > rounding * x_ && along_y > rounding * y_;
            if (has_area) rectangle(name, place(x0, y0, 0), {along_x, 0, 0}, {0, along_y, 0});
        };
        piece("floor-left", -x_, -y_, left + x_, 2 * y_);
        piece("floor-right", left + w, -y_, x_ - left - w, 2 * y_);
        piece("floor-front", left, -y_, w, front + y_);
        piece("floor-back", left, front + l, w, y_ - front - l);
    }

    void gate() {
        const double x = s_.outlet_offset[0], y = s_.outlet_offset[1];
        if (s_.outlet == OpeningType::circle) {
            WallSpec& w = add(WallType::disc, "gate");
            w.centre = place(x, y, 0), w.normal = {0, 0, 1}, w.radius = s_.d_h / 2;
        } else {
            const double width = s_.outlet_width, length = s_.outlet_length.value_or(0.0);
            rectangle("gate", place(x - width / 2, y - length / 2, 0), {width, 0, 0}, {0, length, 0});
        }
        WallSpec& w = walls_.back();
        if (!s_.gate_material.empty()) w.material = s_.gate_material;
        w.opens = s_.opens, w.opens_at = s_.opens_at;
        w.slides = s_.slides, w.slide_time = s_.slide_time;
    }

    static constexpr double rounding = 1e-9;  // share of a length that is rounding of the numbers in the file

    const SiloSpec& s_;
    const double x_, y_;  // half lengths of the bin
    std::vector<WallSpec> walls_;
};

}  // namespace

std::vector<WallSpec> silo_walls(const SiloSpec& s) { return Builder(s).walls(); }

std::pair<Vec3d, Vec3d> silo_box(const SiloSpec& s) {
    const auto [x, y] = half_lengths(s);
    const Vec3d bottom{s.centre[0], s.centre[1], s.bottom};
    return {bottom - Vec3d{x, y, 0}, bottom + Vec3d{x, y, s.h_h + s.h_c}};
}

double bin_floor(const SiloSpec& s) { return s.bottom + s.h_h; }

double silo_volume(const SiloSpec& s) {
    const double pi = std::numbers::pi, top = s.d_c / 2, outlet = s.d_h / 2;
    const double area = s.bin == BinType::cylinder ? pi * top * top : s.width * s.depth;
    switch (s.hopper) {
        case HopperType::cone: return area * s.h_c + pi / 3 * s.h_h * (top * top + top * outlet + outlet * outlet);
        case HopperType::wedge: return area * s.h_c + s.depth * (s.width + s.outlet_width) / 2 * s.h_h;
        case HopperType::flat: break;
    }
    return area * s.h_c;
}

}  // namespace granary
