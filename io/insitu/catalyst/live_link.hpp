// The link to a ParaView that listens: it may come and go. Nobody there costs one refused connection a picture. A
// machine that does not even refuse keeps a caller waiting for minutes: it is then left alone twenty times as long.
#pragma once
#include <mpi.h>
#include <string>

class vtkLiveInsituLink;

class LiveLink {
  public:
    LiveLink(MPI_Comm comm, const std::string& host, int port);  // comm stays its owner's
    ~LiveLink();
    LiveLink(const LiveLink&) = delete;
    LiveLink& operator=(const LiveLink&) = delete;

    // Collective. Sends what the client has asked for; while it wants a pause, waits and sends again what it asks for
    // then.
    void send(double time, long long step);

  private:
    bool connected();
    MPI_Comm comm_;
    double again_at_ = 0;  // s of MPI's clock, on the first rank
    vtkLiveInsituLink* link_;
};
