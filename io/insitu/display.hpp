// A screen for the renderer. ParaView as Debian ships it draws through an X server, and a program that draws without
// one is aborted: so a screen is opened and tested before ParaView is loaded. Batch nodes have none; there one rank of
// a machine brings one for all, Xvfb.
#pragma once
#include <sys/types.h>
#include <boost/mpi/communicator.hpp>
#include <optional>
#include <string>

namespace granary {

class Display {
  public:
    Display() = default;
    Display(const Display&) = delete;
    Display& operator=(const Display&) = delete;
    ~Display();  // ends the server that it has started, when all ranks of this machine are here or seem to be lost

    // Collective. Makes sure that DISPLAY names a screen that can be opened. "" if so, else what is missing and how to
    // get it; ranks may differ.
    std::string open(const boost::mpi::communicator& comm);

    // So many cores are this rank's while it draws in software.
    int threads() const { return threads_; }

  private:
    std::string start_own();
    void wait_for_others() const;
    pid_t server_ = -1;
    std::optional<boost::mpi::communicator> machine_;  // the ranks that share one server
    int threads_ = 1;
};

// "" if this screen can be opened and knows GLX; else why not.
std::string try_display(const std::string& name);

}  // namespace granary
