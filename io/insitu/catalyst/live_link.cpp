#include "io/insitu/catalyst/live_link.hpp"

#include <vtkLiveInsituLink.h>
#include <vtkNew.h>
#include <vtkSMProxyIterator.h>
#include <vtkSMProxyManager.h>
#include <vtkSMSessionProxyManager.h>
#include <vtkSMSourceProxy.h>

namespace {

void update_sources(vtkSMSessionProxyManager* manager, double time) {
    vtkNew<vtkSMProxyIterator> source;
    source->SetSessionProxyManager(manager);
    source->SetModeToOneGroup();
    for (source->Begin("sources"); !source->IsAtEnd(); source->Next())
        if (auto* proxy = vtkSMSourceProxy::SafeDownCast(source->GetProxy())) proxy->UpdatePipeline(time);
}

}  // namespace

LiveLink::LiveLink(MPI_Comm comm, const std::string& host, int port) : comm_(comm), link_(vtkLiveInsituLink::New()) {
    link_->SetHostname(host.c_str());
    link_->SetInsituPort(port);
    link_->SetProcessType(vtkLiveInsituLink::INSITU);
}

LiveLink::~LiveLink() { link_->Delete(); }

bool LiveLink::connected() {
    int waits = MPI_Wtime() < again_at_ ? 1 : 0;
    MPI_Bcast(&waits, 1, MPI_INT, 0, comm_);
    if (waits != 0) return false;
    const double begun = MPI_Wtime();
    const bool good = link_->Initialize(vtkSMProxyManager::GetProxyManager()->GetActiveSessionProxyManager());
    const double took = MPI_Wtime() - begun;
    again_at_ = !good && took > 2 ? MPI_Wtime() + 20 * took : 0;
    return good;
}

void LiveLink::send(double time, long long step) {
    if (!connected()) return;  // nobody listens
    vtkSMSessionProxyManager* manager = vtkSMProxyManager::GetProxyManager()->GetActiveSessionProxyManager();
    for (;;) {
        link_->InsituUpdate(time, step);
        update_sources(manager, time);
        link_->InsituPostProcess(time, step);
        // Not 0: the client has gone, in the middle of a pause.
        if (link_->GetSimulationPaused() == 0 || link_->WaitForLiveChange() != 0) return;
    }
}
