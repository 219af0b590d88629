#include "cpp/support/folder.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "cpp/support/golden.h"
#include "model/checkpoint.h"

namespace glass::testing {

std::unique_ptr<Model> open_folder(const std::string& path, Layout layout, const std::string& config) {
  CheckpointReader reader(config.empty() ? read_text(path + "/config.json") : config, layout);
  std::set<std::string> files = {"model.safetensors"};
  const std::string index = path + "/model.safetensors.index.json";
  if (std::filesystem::exists(index)) {
    files.clear();
    const nlohmann::json json = nlohmann::json::parse(read_text(index));
    for (const auto& [tensor, file] : json.at("weight_map").items()) files.insert(file.get<std::string>());
  }
  std::vector<std::pair<std::vector<uint8_t>, std::vector<CheckpointReader::Wanted>>> opened;
  for (const std::string& name : files) {
    const std::vector<uint8_t> file = read_bytes(path + "/" + name);
    opened.emplace_back(file, reader.open_file(file, file.size(), name));
  }
  for (const auto& [file, tensors] : opened)
    for (const auto& wanted : tensors)
      reader.read(wanted.name, std::span(file).subspan(wanted.begin, wanted.end - wanted.begin));
  return reader.finish();
}

}  // namespace glass::testing
