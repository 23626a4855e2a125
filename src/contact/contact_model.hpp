// The law of a run with the numbers of its pairs of materials, as one object: virtual calls for whole lists, never for
// single pairs. Behind each call stands a loop compiled for the law alone. Walls: walls/wall_model.hpp. The law is
// chosen in laws.hpp and nowhere else.
//
// A list is worked on by ranges of bodies: the pairs of a range are those whose lower body is in it. Ranges in
// ascending order give the bits of one range over all.
#pragma once
#include <memory>
#include <span>
#include <vector>
#include "contact/energy_watch.hpp"
#include "contact/materials.hpp"
#include "contact/offset_pairs.hpp"
#include "contact/pair_forces.hpp"
#include "contact/shape_touches.hpp"
#include "contact/visit_contacts.hpp"

namespace granary {

class ContactModel {
  public:
    // Facts of the law.
    struct Facts {
        bool has_history = false;           // keeps tangential springs
        bool keeps_rolling_spring = false;  // and rolling springs
        double reach = 0;                   // beyond touching, between any pair of materials, m
        bool rolls = false;                 // resists rolling
    };

    virtual ~ContactModel() = default;

    const Facts& facts() const { return facts_; }
    double reach() const { return facts_.reach; }

    // Forces and torques of the touching pairs, springs moved on by dt; see PairForces::add. watch: null for nobody.
    virtual void add_forces(PairForces& loop, Bodies& bodies, PairList& pairs, Range range, double dt,
                            EnergyWatch* watch) const = 0;

    // For ranges side by side: PairForces::add_across for all, then add_within.
    virtual void add_forces_across(PairForces& loop, Bodies& bodies, PairList& pairs, const LayeredRange& range,
                                   double dt, EnergyWatch* watch) const = 0;
    virtual void add_forces_within(PairForces& loop, Bodies& bodies, PairList& pairs, const LayeredRange& range,
                                   double dt, EnergyWatch* watch) const = 0;

    // The same as add_forces for pairs with an offset (offset_pairs.hpp). parted: gets the places in the list of those
    // whose bodies have parted; they need no offset any more.
    virtual void add_offset_forces(Bodies& bodies, PairList& pairs, std::span<const OffsetPair> list, double dt,
                                   EnergyWatch* watch, std::vector<Index>& parted) const = 0;

    // Adds the contacts within reach to the list, with the forces that add_forces will give them.
    virtual void sample(const Bodies& bodies, const PairList& pairs, Range range, double dt,
                        std::vector<PairSample>& samples) const = 0;

    virtual void sample_offset(const Bodies& bodies, const PairList& pairs, std::span<const OffsetPair> list, double dt,
                               std::vector<PairSample>& samples) const = 0;

    // Touches of pairs of which one is no ball (shape_touches.hpp); of ranges side by side first those across, of all,
    // then those within.
    virtual void add_shape_forces(ShapeTouchRange& range, Bodies& bodies, std::span<ShapeTouch> touches,
                                  ShapeTouchRange::Part part, double dt, EnergyWatch* watch) const = 0;
    virtual void sample_shapes(const Bodies& bodies, std::span<const ShapeTouch> touches, double dt,
                               std::vector<PairSample>& samples) const = 0;

    // Normal force of one contact between two materials that approach with a speed, N; its springs are at rest.
    virtual double normal_force(std::size_t material_a, std::size_t material_b, double effective_radius,
                                double effective_mass, double overlap, double approach) const = 0;

  protected:
    explicit ContactModel(const Facts& facts) : facts_(facts) {}

  private:
    Facts facts_;
};

// Throws InputError, see resolve_pairs.
std::unique_ptr<const ContactModel> make_contact_model(std::span<const Material> materials,
                                                       std::span<const PairOverride> overrides,
                                                       const LawSettings& settings);

}  // namespace granary
