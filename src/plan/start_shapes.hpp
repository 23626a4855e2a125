// What the numbers of shapes in a state stand for in another case. A shape of the state is the shape of the case that
// has its name and its fingerprint (shapes/saved_templates.hpp), or else one of another name with its fingerprint. A
// state of before the fingerprints does not say: there numbers stay what they are.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>
#include "core/axes.hpp"
#include "core/saved_state.hpp"
#include "shapes/shape_template.hpp"

namespace granary {

class StartShapes {
  public:
    // Throws InputError: the state's shapes are damaged.
    StartShapes(const SavedState& state, std::span<const ShapeTemplate> of_case, const Axes& axes);

    bool known() const { return known_; }
    std::size_t count() const { return number_.size(); }  // of shapes in the state
    // Numbers count from 1; 0 is a ball and stays one.
    std::uint16_t number(std::uint16_t of_state) const { return of_state == 0 ? of_state : number_[of_state - 1u]; }
    // Why bodies of this number cannot be taken; empty: they can.
    const std::string& problem(std::uint16_t of_state) const { return problem_[of_state - 1u]; }

  private:
    bool known_ = false;
    std::vector<std::uint16_t> number_;
    std::vector<std::string> problem_;
};

// What of b is another than of a, as "its volume is 1 cm^3 instead of 2 cm^3"; empty where the fingerprints are equal.
std::string difference_of(const ShapeTemplate& a, const ShapeTemplate& b);

}  // namespace granary
