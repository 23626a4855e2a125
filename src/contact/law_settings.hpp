// Which law a run has and with which additions, and the numbers of one pair of materials as a law gets them.
#pragma once
#include <optional>

namespace granary {

enum class LawType : int;  // its values stand in laws.hpp, beside the list of laws

// How the values of two materials become that of a pair: materials.hpp.
enum class Mixing { mean, geometric, min, series };

struct LawSettings {
    using Type = LawType;
    enum class Rolling { none, constant, spring };  // of laws that know the force which presses the partners together
    enum class Cohesion { none, sjkr };             // of laws that allow it; kelvin_voigt has its own
    Type type{};                                    // the first law of the list
    Rolling rolling = Rolling::none;
    Cohesion cohesion = Cohesion::none;
    enum class Curvature { contact, volume };
    Curvature curvature = Curvature::contact;  // R* of an ellipsoid: of its surface there, or of a ball of its volume
    bool attraction = true;                    // hertz_mindlin, linear: damping may pull at the end of a contact
    bool damper_may_pull = true;               // kelvin_voigt: the same
    Mixing restitution_mixing = Mixing::geometric;
    Mixing friction_mixing = Mixing::geometric;
    Mixing stiffness_mixing = Mixing::series;
    Mixing damping_mixing = Mixing::series;
    Mixing cohesion_mixing = Mixing::min;
    Mixing rolling_friction_mixing = Mixing::geometric;

    friend bool operator==(const LawSettings&, const LawSettings&) = default;
};

// What a material or a pair may say about its contacts. A law lists those that it uses.
enum class Quantity {
    restitution,
    friction,
    stiffness,
    stiffness_ratio,
    damping,
    cohesion,
    rolling_friction,
    rolling_damping,
    cohesion_density
};

// The numbers of one pair of materials; zero where the law has no use for them. A pair of two wall_only
// materials has zeros throughout.
struct PairValues {
    double young = 0, shear = 0;  // E*, G*, Pa
    double restitution = 0, friction = 0;
    double stiffness = 0, stiffness_ratio = 0, damping = 0, cohesion = 0;
    double rolling_friction = 0, rolling_damping = 0, cohesion_density = 0;
};

}  // namespace granary
