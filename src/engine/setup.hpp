// Everything a run needs, as plain data: what a case file becomes, and what a test writes by hand.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>
#include "contact/bond_type.hpp"
#include "contact/materials.hpp"
#include "core/axes.hpp"
#include "core/bodies.hpp"
#include "core/domain.hpp"
#include "filling/cluster_template.hpp"
#include "filling/insertion.hpp"
#include "core/wall_ball.hpp"
#include "decomposition/balance.hpp"
#include "engine/start_shares.hpp"
#include "motion/integrate.hpp"
#include "search/detector.hpp"
#include "shapes/shape_template.hpp"
#include "walls/moving_walls.hpp"
#include "walls/wall_shapes.hpp"

namespace granary {

// Where cuts go at a rebuild: given the rebuild's number, the cost of all layers and the present cuts.
using CutChooser = std::function<std::vector<int>(std::uint64_t rebuild, const std::vector<double>& layer_cost,
                                                  const std::vector<int>& cuts)>;

struct Setup {
    Axes axes;  // of the user, for messages: everything here is already turned
    Domain domain;
    bool delete_outside =
        false;  // balls that leave the domain other than by an outlet are taken out and counted; else they stop the run
    Vec3d gravity;  // m/s^2
    // Of a run in a plane: all bodies are discs and polygons there, and stay there (motion/plane_motion.hpp).
    struct Plane {
        int normal = -1;               // axis inside, 0, 1, 2; -1: the run is in space
        double at = 0, thickness = 0;  // m
        bool given() const { return normal >= 0; }
    } plane;
    double start_time = 0;  // s, of the first step
    double dt = 0;          // s
    Integrator integrator = Integrator::verlet;
    std::uint64_t seed = 1;

    std::vector<Material> materials;
    std::vector<PairOverride> pairs;
    LawSettings law;
    std::vector<Wall> walls;           // where they are before anything moves them
    std::vector<WallMotion> motions;   // times count from start_time
    std::vector<WallBall> wall_balls;  // of the walls that are made of balls
    std::vector<char>
        walls_of_balls;  // for each wall, not 0 if it is one: its surface itself is not there; empty: none is
    std::vector<Outlet> outlets;
    std::vector<InsertionSpec> insertions;
    std::vector<ClusterTemplate> clusters;  // in the axes of the user; NewBody::shape is a number here plus 1

    std::vector<ShapeTemplate> shapes;  // grains that are no balls; NewBody::rigid_shape is a number here plus 1
    double near_margin = 1;  // of near pairs, over the usual one; negative: all are near (engine/shape_pairs.hpp)

    std::vector<BondType> bonds;  // what bonds may be of; empty: there are none
    double bond_reach = 0;  // m, the widest gap between two bodies that a bond may join, stretched as far as it goes
    // What holds bodies (NewBody::held counts from 1): at rest, or moved like the walls of a motion.
    struct Hold {
        std::uint32_t motion = no_motion;
        static constexpr std::uint32_t no_motion = ~std::uint32_t{0};
    };
    std::vector<Hold> holds;

    StartShares start;     // the first bodies, with the springs of their contacts
    bool started = false;  // velocities are already half a step behind (a state, not a beginning)

    bool energy = false;        // keep the energy balance: costs about half as much again as the forces
    bool mean_loads = false;    // add up the loads on walls at every step, for means over time
    bool bands = false;         // balls carry the number of a band, see Bodies::band
    bool entry_times = false;   // balls carry the time at which they came in
    bool break_events = false;  // note every bond that breaks
    bool outflow = false;       // note every ball that leaves through an outlet; wants entry_times

    double largest_radius =
        0;            // m, of any body that will ever be: of clusters the elements, of shapes the sphere around
    double skin = 0;  // m
    Detector detector = Detector::mr;
    double alpha = 2;                       // of mmr
    std::uint64_t longest_interval = 1000;  // steps between rebuilds at most
    std::uint64_t fixed_interval = 0;       // if not 0: a rebuild every so many steps, for benchmarks
    std::uint64_t rebalance_every = 1;      // rebuilds from one look at the balance to the next; 0: cuts stay
    BalanceRules balance;
    std::size_t ranges = 0;  // of bodies that are worked on side by side; 0: one a thread. They change no bit
    CutChooser choose_cuts;  // instead of the built-in balance, for tests

    void forget_bodies() { start = {}; }  // whatever they held is no longer needed
    bool is_of_balls(std::size_t wall) const { return wall < walls_of_balls.size() && walls_of_balls[wall] != 0; }
};

// The walls with what moves them, before the first step.
MovingWalls moving_walls(const Setup& setup, double largest_reach);

// A skin for the speeds the case can reach: a free fall through the domain, or the fastest wall, should need a new list
// every twenty steps or so, within 4 and 40 % of the largest radius; less where a period would else be too short for
// two cubes.
double default_skin(const Setup& setup);

// The least edge of the cubes: what a ball and another one, or a wall ball, must be apart not to be candidates, m.
double least_cube_edge(const Setup& setup, double reach);

// The widest gap at which the law still acts between any pair of materials, m.
double longest_reach_of(const Setup& setup);

}  // namespace granary
