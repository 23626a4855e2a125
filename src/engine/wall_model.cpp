#include "engine/wall_model.hpp"
#include "contact/laws.hpp"

namespace granary {
namespace {

template <class Law> class WallModelOf final : public WallModel {
  public:
    explicit WallModelOf(const Setup& s)
        : law_(Law::from(s.law)),
          table_(make_table<Law>(s.materials, s.pairs, s.law)),
          reach_(longest_reach(table_)) {}

    void add_forces(WallContacts& contacts, Bodies& bodies, Range range, std::size_t number, const WallsNow& now,
                    double dt, EnergyWatch* watch) const override {
        if (watch == nullptr)
            contacts.add_forces(bodies, range, now.walls, law_, table_, reach_, dt, now.loads, now.layer_of, now.twists,
                                now.displacements, NobodyWatches{}, number);
        else
            contacts.add_forces(bodies, range, now.walls, law_, table_, reach_, dt, now.loads, now.layer_of, now.twists,
                                now.displacements, Watched{*watch}, number);
    }

    void add_forces(WallBallContacts& contacts, std::span<const WallBall> balls, Bodies& bodies, Range range,
                    const WallsNow& now, double dt, EnergyWatch* watch, std::vector<WallSample>* note) const override {
        if (watch == nullptr)
            contacts.add_forces(bodies, range, balls, now.walls, law_, table_, reach_, dt, now.loads, now.layer_of,
                                note);
        else
            contacts.add_forces(bodies, range, balls, now.walls, law_, table_, reach_, dt, now.loads, now.layer_of,
                                note, Watched{*watch});
    }

    void add_forces(ShapeWallContacts& contacts, Bodies& bodies, Range range, const WallsNow& now, double dt,
                    EnergyWatch* watch, std::vector<WallSample>* note) const override {
        if (watch == nullptr)
            contacts.add_forces(bodies, range, now.walls, law_, table_, reach_, dt, now.loads, now.layer_of, now.twists,
                                note, NobodyWatches{});
        else
            contacts.add_forces(bodies, range, now.walls, law_, table_, reach_, dt, now.loads, now.layer_of, now.twists,
                                note, Watched{*watch});
    }

  private:
    Law law_;
    PairTable<Law> table_;
    double reach_;
};

}  // namespace

std::unique_ptr<const WallModel> make_wall_model(const Setup& setup) {
    return with_law(setup.law, [&]<class Law>() -> std::unique_ptr<const WallModel> {
        return std::make_unique<WallModelOf<Law>>(setup);
    });
}

}  // namespace granary
