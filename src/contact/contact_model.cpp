#include "contact/contact_model.hpp"

namespace granary {
namespace {

template <class Law> class ModelOf final : public ContactModel {
  public:
    ModelOf(const Law& law, PairTable<Law> table)
        : ContactModel({Law::has_history, keeps_rolling_spring<Law>, longest_reach(table), gives_rolling_torque<Law>}),
          law_(law),
          table_(std::move(table)) {}

    void add_forces(PairForces& loop, Bodies& bodies, PairList& pairs, Range range, double dt,
                    EnergyWatch* watch) const override {
        if (watch == nullptr) loop.add(bodies, pairs, range, law_, table_, reach(), dt);
        else loop.add(bodies, pairs, range, law_, table_, reach(), dt, Watched{*watch});
    }

    void add_forces_across(PairForces& loop, Bodies& bodies, PairList& pairs, const LayeredRange& range, double dt,
                           EnergyWatch* watch) const override {
        loop.add_across(bodies, pairs, range, law_, table_, reach(), dt, watch);
    }

    void add_forces_within(PairForces& loop, Bodies& bodies, PairList& pairs, const LayeredRange& range, double dt,
                           EnergyWatch* watch) const override {
        loop.add_within(bodies, pairs, range, law_, table_, reach(), dt, watch);
    }

    void add_offset_forces(Bodies& bodies, PairList& pairs, std::span<const OffsetPair> list, double dt,
                           EnergyWatch* watch, std::vector<Index>& parted) const override {
        if (watch == nullptr) add_offset_pairs(bodies, pairs, list, law_, table_, reach(), dt, parted, NobodyWatches{});
        else add_offset_pairs(bodies, pairs, list, law_, table_, reach(), dt, parted, Watched{*watch});
    }

    void sample(const Bodies& bodies, const PairList& pairs, Range range, double dt,
                std::vector<PairSample>& samples) const override {
        visit_contacts(bodies, pairs, range, law_, table_, reach(), dt, [&](Index i, Index j, const Vec3d& f) {
            samples.push_back({i, j, f});
        });
    }

    void sample_offset(const Bodies& bodies, const PairList& pairs, std::span<const OffsetPair> list, double dt,
                       std::vector<PairSample>& samples) const override {
        sample_offset_pairs(bodies, pairs, list, law_, table_, reach(), dt, samples);
    }

    void add_shape_forces(ShapeTouchRange& range, Bodies& bodies, std::span<ShapeTouch> touches,
                          ShapeTouchRange::Part part, double dt, EnergyWatch* watch) const override {
        add_shape_touches(range, bodies, touches, part, law_, table_, reach(), dt, watch);
    }

    void sample_shapes(const Bodies& bodies, std::span<const ShapeTouch> touches, double dt,
                       std::vector<PairSample>& samples) const override {
        sample_shape_touches(bodies, touches, law_, table_, reach(), dt, samples);
    }

    double normal_force(std::size_t material_a, std::size_t material_b, double effective_radius, double effective_mass,
                        double overlap, double approach) const override {
        Contact<double> c{};
        c.normal = {0, 0, 1}, c.overlap = overlap, c.velocity = {0, 0, -approach};
        c.effective_radius = effective_radius, c.effective_mass = effective_mass;
        Vec3d xi{};
        return law_.force(c, table_.at(material_a, material_b), xi, 0.0).z;
    }

  private:
    Law law_;
    PairTable<Law> table_;
};

}  // namespace

std::unique_ptr<const ContactModel> make_contact_model(std::span<const Material> materials,
                                                       std::span<const PairOverride> overrides,
                                                       const LawSettings& settings) {
    return with_law(settings, [&]<class Law>() -> std::unique_ptr<const ContactModel> {
        return std::make_unique<ModelOf<Law>>(Law::from(settings), make_table<Law>(materials, overrides, settings));
    });
}

}  // namespace granary
