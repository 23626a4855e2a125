// Springs of a state that a run begins with or goes on from. The lists stand already, without springs: those of pairs
// go from the file straight to their candidates, so that no second copy of them is ever held; all others (walls, bonds,
// shapes) become contact history, as at any rebuild.
#include "core/errors.hpp"
#include "core/places_by_id.hpp"
#include "core/state_problems.hpp"
#include "decomposition/reductions.hpp"
#include "decomposition/rendezvous.hpp"
#include "engine/simulation.hpp"

namespace granary {

namespace {

// To the candidates of these two bodies, real ones, images and ghosts alike, if one of the two is real.
void give_spring(PairList& pairs, const Bodies& bodies, const Neighbourhood& hood, const PlacesById& places,
                 const ContactRecord& c) {
    const Array<double* [3]>& numbers = c.partner.kind() == HistoryKind::rolling ? pairs.theta : pairs.xi;
    if (numbers.extent(0) == 0) return;  // this run's law keeps none
    const bool two_images = hood.cubes.has_two_along_a_period();
    places.for_each(c.body, [&](Index at) {
        const bool real = hood.is_real(bodies, at);
        places.for_each(c.partner.number(), [&](Index partner_at) {
            if (at == partner_at || (!real && !hood.is_real(bodies, partner_at))) return;
            const Index i = std::min(at, partner_at), j = std::max(at, partner_at);
            if (two_images && !hood.cubes.is_nearest(bodies.x(i) - bodies.x(j))) return;  // it is at the other image
            const double sign = i == at ? 1.0 : exchange_sign(c.partner.kind());
            for (Index slot = pairs.begin(i); slot < pairs.begin(i + 1); ++slot) {
                if (pairs.partner_of(slot) != j) continue;
                for (int axis = 0; axis < 3; ++axis) numbers(slot, axis) = sign * c.xi[axis];
                pairs.partner(slot) |= PairList::touching;
            }
        });
    });
}

}  // namespace

// Of the first bodies of the run. A slice is the same moment on all ranks.
void Simulation::take_springs(const ContactSlices& contacts) {
    const ContactSlices checked = [&](const auto& use) {
        contacts([&](std::span<const ContactRecord> slice) {
            const std::string problem = first_text(comm_, problem_of(slice, setup_.bonds.size()));
            if (!problem.empty()) throw InputError("the saved contacts do not match the case: " + problem);
            use(slice);
        });
    };
    PairList& pairs = forces_.pairs;
    room_.lend(bodies_.force, bodies_.size);  // the sort needed it
    const PlacesById places({bodies_.id.data(), bodies_.size}, &room_);
    // Records are noted by the places before the sort; those of bodies that have just come in have theirs already.
    ContactHistory& noted = scratch_->history;
    const Index n_first = scratch_->n_first;
    BodiesHere here;
    here.ids = {bodies_.id.data() + bodies_.owned.begin, bodies_.owned.size()};
    here.n_places = n_first;
    here.place = [&](Id id) {
        std::optional<Index> place;
        places.for_each(id, [&](Index at) {
            if (hood_.is_real(bodies_, at)) place = scratch_->places[at - bodies_.owned.begin].old_index();
        });
        return place && *place < n_first ? place : std::nullopt;
    };
    here.at_border = [&](Index place) { return hood_.at_border(scratch_->new_cube[place]); };
    here.is_kept = [&](const ContactRecord& c) { return forces_.keeps_beside_pairs(c.partner); };
    here.keep = [&](const ContactRecord& c) { give_spring(pairs, bodies_, hood_, places, c); };
    ContactHistory history = springs_of(comm_, here, checked);
    for (Index place = n_first; place < noted.n_places(); ++place) history.append(noted.of(place));
    noted = std::move(history);
}

}  // namespace granary
