// Pictures during the run: hands balls, walls, contacts and slab boundaries to ParaView Catalyst, which runs Python
// scripts on them. ParaView is known only to a module that is loaded when the first picture is due (io/catalyst/); the
// program starts, builds and runs without it. Pictures never harm a run: whatever goes wrong turns them off and is told
// in one sentence, and foreign code leaves neither the floating-point environment nor signal handlers changed.
#pragma once
#include <boost/mpi/communicator.hpp>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>
#include "io/insitu/insitu_scene.hpp"

namespace granary {

struct InsituOptions {
    std::vector<std::string> scripts;      // files (.py), or names of those in jobs/catalyst
    std::string live;                      // host:port of a ParaView that may listen; empty: none
    std::array<int, 2> size{800, 1000};    // of an image, pixels
    std::string title, folder = "insitu";  // in the pictures; for the pictures
};

class Insitu {
  public:
    // Collective, as everything below. Reads the scripts to see what they want; ParaView is not yet loaded.
    Insitu(boost::mpi::communicator comm, InsituOptions options);
    ~Insitu();  // before MPI ends

    bool on() const { return on_; }
    void turn_off() { on_ = false; }
    // Whether a script names the channels `contacts` or `bonds`, the array `pressure`: they cost more than the rest and
    // are made for those only.
    bool wants_contacts() const { return wants_contacts_; }
    bool wants_pressure() const { return wants_pressure_; }
    bool wants_bonds() const { return wants_bonds_; }

    // "" if the picture was made; else why not, the same on all ranks, and pictures are off from then on.
    std::string draw(const InsituScene& scene);

    // On this rank.
    std::uint64_t pictures() const { return pictures_; }
    std::uint64_t bytes_copied() const { return bytes_copied_; }  // by the last picture, of balls

  private:
    struct Module;
    void find_scripts();
    std::string load();
    std::string draw_loaded(const InsituScene& scene);
    std::string agreed(const std::string& mine) const;  // the text of the lowest rank that has one

    boost::mpi::communicator comm_;
    InsituOptions options_;
    std::vector<std::string> scripts_;  // paths
    std::string problem_;               // with the scripts, to be told when the first picture is due
    bool on_ = true, wants_contacts_ = false, wants_pressure_ = false, wants_bonds_ = false;
    std::unique_ptr<Module> module_;
    std::uint64_t pictures_ = 0, bytes_copied_ = 0;
};

// Where the ready scripts and the module are looked for: beside the program's sources or where it was installed. "" if
// nowhere.
std::string ready_scripts_folder();
std::string insitu_module_file();

}  // namespace granary
