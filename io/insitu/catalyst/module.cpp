// The side of ParaView: channels become VTK data sets that point to the program's arrays, and vtkCPProcessor runs the
// scripts on them. Loaded by io/insitu/insitu.cpp with dlopen(RTLD_GLOBAL): ParaView's Python modules look for
// libpython's symbols there.
#include "io/insitu/catalyst/module.h"

#include <mpi.h>
#include <vtkAOSDataArrayTemplate.h>
#include <vtkCPDataDescription.h>
#include <vtkCPInputDataDescription.h>
#include <vtkCPProcessor.h>
#include <vtkCPPythonScriptV2Pipeline.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkCommand.h>
#include <vtkLogger.h>
#include <vtkMPI.h>
#include <vtkNew.h>
#include <vtkOutputWindow.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkPythonInterpreter.h>
#include <vtkSmartPointer.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <string>
#include <vector>
#include "io/insitu/catalyst/balls_as_sprites.hpp"
#include "io/insitu/catalyst/live_link.hpp"

namespace {

// Keeps what ParaView and Python report as errors, which would otherwise only scroll past.
class Listener : public vtkCommand {
  public:
    static Listener* New() { return new Listener; }
    void Execute(vtkObject*, unsigned long, void* piece) override {
        if (piece != nullptr && text.size() < 20'000) text += static_cast<const char*>(piece);
    }
    std::string text;
};

// Python writes its errors to a stream of its own: a copy of it is kept.
void listen_to_python() {
    vtkPythonInterpreter::RunSimpleString(
        "import os, sys\n"
        "class GranaryCopy:\n"
        "    def __init__(self, to): self.to, self.text = to, ''\n"
        "    def write(self, text):\n"
        "        self.text = (self.text + text)[-20000:]\n"
        "        return self.to.write(text)\n"
        "    def __getattr__(self, name): return getattr(self.to, name)\n"
        "sys.stderr = GranaryCopy(sys.stderr)\n");
}

std::string python_said() {
    vtkPythonInterpreter::RunSimpleString(
        "import os, sys\n"
        "os.environ['GRANARY_SAID'] = getattr(sys.stderr, 'text', '').replace(chr(0), '')\n");
    const char* text = std::getenv("GRANARY_SAID");
    return text != nullptr ? text : "";
}

// One line of it that says the most: of a Python error the error itself, and the place in the script; of ParaView's the
// message.
std::string reason(const std::string& text) {
    std::istringstream lines(text);
    std::string line, place, first;
    while (std::getline(lines, line)) {
        const std::size_t file = line.find("File \""), comma = line.find(", in ");
        if (file != std::string::npos && line.find(".py\"", file) != std::string::npos) {
            place = line.substr(file + 6, comma == std::string::npos ? comma : comma - file - 6);
            place.erase(0, place.rfind('/') + 1);
            place.erase(std::remove(place.begin(), place.end(), '"'), place.end());
        }
        const std::size_t colon = line.find(':');
        const std::string word = line.substr(0, colon);
        if (word.find(' ') == std::string::npos && (word.ends_with("Error") || word.ends_with("Exception")))
            return place.empty() ? line : place + ": " + line;
        const std::size_t pointer = line.find("): ");
        if (pointer != std::string::npos && line.starts_with("vtk")) return line.substr(pointer + 3);
        if (first.empty() && !line.empty()) first = line;
    }
    return first.empty() ? "a script failed, see above" : first;
}

template <class T> vtkSmartPointer<vtkDataArray> borrowed(const granary_array& a, long long n) {
    vtkNew<vtkAOSDataArrayTemplate<T>> array;
    array->SetName(a.name);
    array->SetNumberOfComponents(a.components);
    array->SetArray(const_cast<T*>(static_cast<const T*>(a.data)), n * a.components, 1);  // 1: never freed there
    return array;
}

vtkSmartPointer<vtkDataArray> array_of(const granary_array& a, long long n) {
    switch (a.number) {
        case GRANARY_FLOAT32: return borrowed<float>(a, n);
        case GRANARY_INT64: return borrowed<long long>(a, n);
        case GRANARY_UINT16: return borrowed<unsigned short>(a, n);
        case GRANARY_INT32: return borrowed<int>(a, n);
    }
    return nullptr;
}

vtkSmartPointer<vtkPolyData> data_of(const granary_channel& c) {
    vtkNew<vtkPolyData> data;
    vtkNew<vtkPoints> points;
    points->SetData(array_of({"points", GRANARY_FLOAT32, 3, c.points}, c.n_points));
    data->SetPoints(points);
    for (int k = 0; k < c.n_point_arrays; ++k) data->GetPointData()->AddArray(array_of(c.point_arrays[k], c.n_points));
    vtkNew<vtkCellArray> cells;
    if (c.ends != nullptr) {
        vtkNew<vtkTypeInt32Array> ends, corners;
        ends->SetArray(const_cast<int*>(c.ends), c.n_cells + 1, 1);
        corners->SetArray(const_cast<int*>(c.corners), c.ends[c.n_cells], 1);
        cells->SetData(ends, corners);
    } else if (c.cells == GRANARY_VERTICES) {
        // Every point a cell: filters such as a cut pass over points that belong to none.
        vtkNew<vtkTypeInt32Array> ends, corners;
        ends->SetNumberOfValues(c.n_points + 1), corners->SetNumberOfValues(c.n_points);
        for (int k = 0; k <= c.n_points; ++k) ends->SetValue(k, k);
        for (int k = 0; k < c.n_points; ++k) corners->SetValue(k, k);
        cells->SetData(ends, corners);
    }
    if (c.cells == GRANARY_VERTICES) data->SetVerts(cells);
    else if (c.cells == GRANARY_LINES) data->SetLines(cells);
    else data->SetPolys(cells);
    for (int k = 0; k < c.n_cell_arrays; ++k) data->GetCellData()->AddArray(array_of(c.cell_arrays[k], c.n_cells));
    return data;
}

struct Module {
    vtkNew<vtkCPProcessor> processor;
    vtkNew<Listener> listener;
    std::vector<std::string> channels;
    std::unique_ptr<LiveLink> live;
};

void tell(char* why, int room, const std::string& text) {
    std::snprintf(why, static_cast<std::size_t>(room), "%s", text.c_str());
}

void* open_module(void* comm, const char* const* channels, int n_channels, const char* const* scripts, int n_scripts,
                  const char* live_host, int live_port, char* why, int room) {
    auto module = std::make_unique<Module>();
    module->channels.assign(channels, channels + n_channels);
    vtkOutputWindow::GetInstance()->AddObserver(vtkCommand::ErrorEvent, module->listener);
    vtkMPICommunicatorOpaqueComm opaque(static_cast<MPI_Comm*>(comm));
    show_balls_as_sprites();
    vtkObject::GlobalWarningDisplayOff();
    const int started = module->processor->Initialize(opaque);
    vtkObject::GlobalWarningDisplayOn();
    vtkLogger::SetStderrVerbosity(vtkLogger::VERBOSITY_ERROR);  // its warnings mean nothing to the user of a run
    if (started == 0) {
        tell(why, room, "ParaView cannot start");
        return nullptr;
    }
    listen_to_python();
    for (int k = 0; k < n_scripts; ++k) {
        vtkNew<vtkCPPythonScriptV2Pipeline> pipeline;
        if (pipeline->Initialize(scripts[k]) == 0) {
            tell(why, room,
                 std::string(scripts[k]) + " cannot be used: " + reason(python_said() + module->listener->text));
            return nullptr;
        }
        module->processor->AddPipeline(pipeline);
    }
    if (live_host != nullptr)
        module->live = std::make_unique<LiveLink>(*static_cast<MPI_Comm*>(comm), live_host, live_port);
    return module.release();
}

void tell_python(const granary_facts& f) {
    char text[2000];
    std::snprintf(text, sizeof text,
                  "import sys, types\n"
                  "facts = sys.modules.setdefault('granary_facts', types.ModuleType('granary_facts'))\n"
                  "facts.time, facts.step, facts.balls, facts.ids, facts.bands = %.17g, %lld, %lld, %lld, %d\n"
                  "facts.fastest, facts.largest_radius = %.17g, %.17g\n"
                  "facts.low, facts.high = [%.17g, %.17g, %.17g], [%.17g, %.17g, %.17g]\n"
                  "facts.gravity = [%.17g, %.17g, %.17g]\n"
                  "facts.mean_force, facts.most_force, facts.most_pressure = %.17g, %.17g, %.17g\n"
                  "facts.shapes, facts.bonds, facts.broken = %lld, %lld, %lld\n",
                  f.time, f.step, f.n_balls, f.n_ids, f.n_bands, f.fastest, f.largest_radius, f.low[0], f.low[1],
                  f.low[2], f.high[0], f.high[1], f.high[2], f.gravity[0], f.gravity[1], f.gravity[2], f.mean_force,
                  f.most_force, f.most_pressure, f.n_shapes, f.n_bonds, f.n_broken);
    vtkPythonInterpreter::RunSimpleString(text);
}

int draw(void* handle, const granary_facts* facts, const granary_channel* channels, int n_channels, char* why,
         int room) {
    auto* module = static_cast<Module*>(handle);
    tell_python(*facts);
    module->listener->text.clear();
    vtkNew<vtkCPDataDescription> description;
    for (const std::string& name : module->channels) description->AddInput(name.c_str());
    description->SetTimeData(facts->time, facts->step);
    description->ForceOutputOn();  // whether a picture is due is the program's to say
    if (module->processor->RequestDataDescription(description) == 0) return 1;
    for (int k = 0; k < n_channels; ++k)
        if (auto* input = description->GetInputDescriptionByName(channels[k].name))
            input->SetGrid(data_of(channels[k]));
    const int good = module->processor->CoProcess(description);
    if (good != 0 && module->listener->text.empty()) {
        if (module->live) module->live->send(facts->time, facts->step);
        return 1;
    }
    tell(why, room, reason(python_said() + module->listener->text));
    return 0;
}

void close_module(void* handle) {
    const std::unique_ptr<Module> module(static_cast<Module*>(handle));
    module->live.reset();
    module->processor->Finalize();
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const granary_catalyst_api* granary_catalyst() {
    static const granary_catalyst_api api{GRANARY_CATALYST_VERSION, open_module, draw, close_module};
    return &api;
}
