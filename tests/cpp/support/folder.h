// Models from checkpoint folders, read as a program would read them.
#pragma once

#include <memory>
#include <string>

#include "model/model.h"

namespace glass::testing {

// Opens config.json and model.safetensors, or every shard of model.safetensors.index.json, in an absolute path. A config that
// is given stands in for the file's.
std::unique_ptr<Model> open_folder(const std::string& path, Layout layout = Layout::panels, const std::string& config = "");

}  // namespace glass::testing
