// A grain that is made of several bodies: balls, its elements, joined by bonds. A template says where they are,
// relative to the centre of mass and in the cluster's own frame; every cluster is a copy of one, of any size, turned
// and moved (cluster_copies.hpp). How templates are made: cluster_shapes.hpp.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>
#include "core/vec.hpp"

namespace granary {

struct ClusterTemplate {
    struct Element {
        Vec3d centre;  // m
        double radius = 0;
    };
    struct Bond {
        std::uint32_t a = 0, b = 0;  // elements; a < b
    };

    std::string name;
    std::vector<Element> elements;
    std::vector<Bond> bonds;  // ascending

    double outer_radius = 0;               // m, of the ball around the centre of mass that holds all elements
    double smallest = 0, largest = 0;      // m, radii of elements
    double solid_volume = 0;               // m^3, sum over the elements: the mass for a density of 1
    double largest_overlap = 0;            // as a share of the smaller diameter; 0: none touches by more than rounding
    double mass = 0;                       // kg, of a cluster of this size; 0: that of its material
    std::uint16_t material = no_material;  // of the elements; no_material: that of their source
    std::uint16_t bond_type = 0;           // number in the list of types
    double weibull_modulus = 0;            // of that type
    bool turned_at_random = true;          // copies that no one turns are; else they stand as the template does

    static constexpr std::uint16_t no_material = 65535;

    // The partners of an element and the numbers of the bonds, by partner.
    struct Partner {
        std::uint32_t element = 0, bond = 0;
    };
    std::span<const Partner> partners_of(std::uint32_t element) const {
        return {partners.data() + first_partner[element], partners.data() + first_partner[element + 1]};
    }
    std::vector<std::uint32_t> first_partner;
    std::vector<Partner> partners;
};

// What a template is made with, besides its elements.
struct TemplateRules {
    std::string name;
    double gap = 0.1;  // elements nearer than this share of the smaller radius are bonded; so are all that overlap
    double max_overlap = 0.1;  // share of the smaller diameter
};

// Moves the elements to their centre of mass and finds the bonds. Throws InputError if there are no elements, if two
// overlap by more than the limit, or if the bonds do not join all of them.
ClusterTemplate make_template(std::vector<ClusterTemplate::Element> elements, const TemplateRules& rules);

// The same cluster, larger or smaller: overlaps and bonds stay.
ClusterTemplate scaled(ClusterTemplate of, double factor);

}  // namespace granary
