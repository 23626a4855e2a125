// Sums over balls and contacts on a grid, for one look or for many: plain numbers, so that looks can be added up and
// saved.
#pragma once
#include <span>
#include <vector>
#include "measure/coarse_graining_goldhirsch2010.hpp"

namespace granary {

// Of each cell, in this order.
enum FieldSum : std::size_t {
    sum_mass,    // kg
    sum_volume,  // m^3, of the balls
    sum_px,      // kg m/s
    sum_py,
    sum_pz,
    sum_mvv,       // kg m^2/s^2: m v.v
    sum_balls,     // 1
    sum_contacts,  // of the balls, 1
    sum_xx,        // N m: f (x) branch, its symmetric part
    sum_yy,
    sum_zz,
    sum_xy,
    sum_yz,
    sum_xz,
    n_field_sums
};

struct FieldBall {
    Vec3d x, v;             // m, m/s
    double mass, volume;    // kg, m^3
    unsigned contacts = 0;  // with balls and walls
};

// The sums of some cells, `first` and those that follow. What goes to other cells is left out, so that the cells may be
// gone through in parts.
struct FieldShare {
    std::span<double> sums;
    std::size_t first = 0;  // cell

    double* of(std::size_t cell) const {
        const std::size_t at = n_field_sums * (cell - first);
        return cell >= first && at < sums.size() ? sums.data() + at : nullptr;
    }
    bool may_get(const CoarseGraining& to, const Vec3d& a, const Vec3d& b) const;  // something between a and b
};

void add_ball(const FieldShare& part, const CoarseGraining& to, const FieldBall& ball);

// Contact of i with j, or with a wall: from the centre x_i to the other end; force on i.
void add_contact(const FieldShare& part, const CoarseGraining& to, const Vec3d& x_i, const Vec3d& other_end,
                 const Vec3d& force);

// What the sums of `looks` looks mean. Where there is no mass, velocity, temperature and coordination are 0.
struct FieldValues {
    std::vector<double> packing_fraction, density;      // 1, kg/m^3
    std::vector<Vec3d> velocity;                        // m/s
    std::vector<double> temperature;                    // m^2/s^2: <v'.v'>/3, v' = v - V
    std::vector<double> coordination;                   // contacts of a ball
    std::vector<std::array<double, 6>> contact_stress;  // Pa: xx, yy, zz, xy, yz, xz, compression positive
};
FieldValues field_values(std::span<const double> sums, const Grid& grid, double looks);

}  // namespace granary
