// The law of a run at walls and at the balls that walls are made of: virtual calls for whole lists, as
// contact/contact_model.hpp has them for pairs.
#pragma once
#include <memory>
#include <span>
#include <vector>
#include "contact/energy_watch.hpp"
#include "engine/body_layers.hpp"
#include "engine/setup.hpp"
#include "walls/shape_wall_contacts.hpp"
#include "walls/wall_ball_contacts.hpp"
#include "walls/wall_contacts.hpp"

namespace granary {

// The walls at one step.
struct WallsNow {
    std::span<const Wall> walls;
    std::span<const Twist> twists, displacements;  // by Wall::motion, see moving_walls.hpp
    std::span<WallLoad> loads;                     // by layer, then by wall
    BodyLayers layer_of;
};

class WallModel {
  public:
    virtual ~WallModel() = default;

    // On the bodies of a range, as WallContacts::add_forces; number: of the range. watch: null for nobody.
    virtual void add_forces(WallContacts& contacts, Bodies& bodies, Range range, std::size_t number,
                            const WallsNow& now, double dt, EnergyWatch* watch) const = 0;

    // The same at wall balls. note: every contact is added there; null: none.
    virtual void add_forces(WallBallContacts& contacts, std::span<const WallBall> balls, Bodies& bodies, Range range,
                            const WallsNow& now, double dt, EnergyWatch* watch,
                            std::vector<WallSample>* note) const = 0;

    // And of bodies that are no balls, at walls.
    virtual void add_forces(ShapeWallContacts& contacts, Bodies& bodies, Range range, const WallsNow& now, double dt,
                            EnergyWatch* watch, std::vector<WallSample>* note) const = 0;
};

std::unique_ptr<const WallModel> make_wall_model(const Setup& setup);  // throws InputError, see resolve_pairs

}  // namespace granary
