#include "io/insitu/catalyst/balls_as_sprites.hpp"

#include <vtkClientServerInterpreter.h>
#include <vtkClientServerInterpreterInitializer.h>
#include <vtkInformation.h>
#include <vtkInformationIntegerKey.h>
#include <vtkCompositeDataIterator.h>
#include <vtkCompositeDataSet.h>
#include <vtkDataArray.h>
#include <vtkDataSet.h>
#include <vtkOpenGLActor.h>
#include <vtkPVRenderView.h>
#include <vtkPVView.h>
#include <vtkPointData.h>
#include <vtkPointGaussianMapper.h>
#include <vtkPointGaussianRepresentation.h>
#include <vtkSmartPointer.h>
#include <algorithm>

namespace {

// Knows that balls reach beyond their centres: a rank's part of a picture ends where its things end.
class RoundActor : public vtkOpenGLActor {
  public:
    static RoundActor* New() {
        auto* actor = new RoundActor;
        actor->InitializeObjectBase();
        return actor;
    }
    using vtkActor::GetBounds;
    double* GetBounds() override {
        const double* of_centres = vtkOpenGLActor::GetBounds();
        if (of_centres == nullptr || of_centres[0] > of_centres[1]) return vtkOpenGLActor::GetBounds();
        for (int k = 0; k < 6; ++k) bounds_[k] = of_centres[k] + (k % 2 == 0 ? -reach : reach);
        return bounds_;
    }
    double reach = 0;

  private:
    double bounds_[6] = {};
};

double largest(vtkDataObject* data, const char* array) {
    double most = 0, range[2] = {0, 0};
    if (auto* set = vtkDataSet::SafeDownCast(data)) {
        vtkDataArray* values = set->GetPointData()->GetArray(array);
        if (values != nullptr && values->GetNumberOfTuples() > 0) values->GetRange(range), most = range[1];
    } else if (auto* sets = vtkCompositeDataSet::SafeDownCast(data)) {
        vtkSmartPointer<vtkCompositeDataIterator> part;
        part.TakeReference(sets->NewIterator());
        for (part->InitTraversal(); !part->IsDoneWithTraversal(); part->GoToNextItem())
            most = std::max(most, largest(part->GetCurrentDataObject(), array));
    }
    return most;
}

// Keeps the class name of its base, by which ParaView finds the functions to call.
class Sprites : public vtkPointGaussianRepresentation {
  public:
    static vtkObjectBase* make(void*) {
        auto* sprites = new Sprites;
        sprites->InitializeObjectBase();
        sprites->round_->SetMapper(sprites->Mapper);
        sprites->round_->ForceOpaqueOn();
        sprites->Actor = sprites->round_;
        return sprites;
    }
    int ProcessViewRequest(vtkInformationRequestKey* request, vtkInformation* in, vtkInformation* out) override {
        const int good = vtkPointGaussianRepresentation::ProcessViewRequest(request, in, out);
        if (request == vtkPVView::REQUEST_UPDATE()) out->Remove(vtkPVRenderView::NEED_ORDERED_COMPOSITING());
        if (request == vtkPVView::REQUEST_RENDER()) {
            const char* scale = this->Mapper->GetScaleArray();
            round_->reach = this->Mapper->GetScaleFactor() *
                            (scale != nullptr ? largest(this->Mapper->GetInputDataObject(0, 0), scale) : 1.0);
        }
        return good;
    }

  private:
    vtkSmartPointer<RoundActor> round_ = vtkSmartPointer<RoundActor>::New();
};

void put_into(vtkClientServerInterpreter* interpreter) {
    interpreter->AddNewInstanceFunction("vtkPointGaussianRepresentation", &Sprites::make);
}

}  // namespace

void show_balls_as_sprites() { vtkClientServerInterpreterInitializer::GetInitializer()->RegisterCallback(&put_into); }
