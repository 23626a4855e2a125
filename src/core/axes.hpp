// The slab axis is always the third one inside. A case that wants slabs along x or y has its axes turned round in a
// circle on the way in and back on the way out, and nowhere else; a circular change keeps right hands right, and moves
// numbers without touching their bits.
#pragma once
#include <array>
#include <type_traits>
#include "core/bodies.hpp"
#include "core/contact_record.hpp"
#include "core/domain.hpp"
#include "core/vec.hpp"

namespace granary {

class Axes {
  public:
    // slab_axis: 0, 1, 2 for x, y, z of the user.
    explicit Axes(int slab_axis = 2) : shift_((slab_axis + 1) % 3) {}

    bool turned() const { return shift_ != 0; }
    // Component k inside is component (k + shift) mod 3 of the user: for x, (y, z, x) of the user is (x, y, z) inside.
    template <class T> std::array<T, 3> in(const std::array<T, 3>& a) const {
        return {a[shift_], a[(shift_ + 1) % 3], a[(shift_ + 2) % 3]};
    }
    template <class T> std::array<T, 3> out(const std::array<T, 3>& a) const {
        const int back = (3 - shift_) % 3;
        return {a[back], a[(back + 1) % 3], a[(back + 2) % 3]};
    }
    Vec3d in(const Vec3d& a) const { return vec(in(std::array{a.x, a.y, a.z})); }
    Vec3d out(const Vec3d& a) const { return vec(out(std::array{a.x, a.y, a.z})); }
    Domain in(const Domain& d) const { return {in(d.lower), in(d.upper), in(d.periodic)}; }
    Domain out(const Domain& d) const { return {out(d.lower), out(d.upper), out(d.periodic)}; }
    // The user's name of axis k inside.
    char name(int k) const { return "xyz"[(k + shift_) % 3]; }

    // The three numbers of a vector, wherever they stand.
    void turn_in(double* v) const { turn(v, shift_); }
    void turn_out(double* v) const { turn(v, (3 - shift_) % 3); }
    // The numbers of a field that turns.
    void turn_in(const FieldRow& field, double* v) const { turn(v + field.vector_at(), shift_); }
    void turn_out(const FieldRow& field, double* v) const { turn(v + field.vector_at(), (3 - shift_) % 3); }
    // All vectors of a body, of a contact.
    void turn_in(BodyRecord& body) const { turn(body, shift_); }
    void turn_out(BodyRecord& body) const { turn(body, (3 - shift_) % 3); }
    void turn_in(ContactRecord& contact) const {
        if (row_of(contact.partner.kind()).vector) turn(contact.xi, shift_);
    }
    void turn_out(ContactRecord& contact) const {
        if (row_of(contact.partner.kind()).vector) turn(contact.xi, (3 - shift_) % 3);
    }

  private:
    static void turn(double* v, int shift) {
        if (shift == 0) return;
        const std::array a{v[0], v[1], v[2]};
        for (int k = 0; k < 3; ++k) v[k] = a[(k + shift) % 3];
    }
    template <class T> static void turn_column(const ColumnRow& row, T& column, int shift) {
        if constexpr (std::is_array_v<T>) {
            if (row.turns == Turns::vector) turn(column, shift);
            if (row.turns == Turns::quaternion) turn(column + 1, shift);
        }
    }
    static void turn(BodyRecord& body, int shift) {
#define GRANARY_TURN(name, ...) turn_column(row_of(Column::name), body.name, shift);
        GRANARY_COLUMNS(GRANARY_TURN)
#undef GRANARY_TURN
    }
    static Vec3d vec(const std::array<double, 3>& a) { return {a[0], a[1], a[2]}; }
    int shift_ = 0;
};

}  // namespace granary
