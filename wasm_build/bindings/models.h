// A model as JavaScript holds it.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "handles.h"
#include "io/dtype.h"
#include "model/model.h"
#include "tensor/arena.h"

namespace glass::bindings {

struct HeldModel {
  std::unique_ptr<Model> model;
  std::map<std::string, DType, std::less<>> dtypes;  // by parameter, as it was read; F32 where not listed
  Arena arena;
};

Handles<HeldModel>& models();

void close_generators(const HeldModel& model);  // those that go on with it

}  // namespace glass::bindings
