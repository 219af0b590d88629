#include "model/checkpoint.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "io/json_edit.h"
#include "io/safetensors.h"
#include "io/text.h"
#include "model/families/family.h"
#include "tensor/error.h"

namespace glass {
namespace {

[[noreturn]] void refuse(std::string_view file_name, std::initializer_list<Part> message) {
  throw_error(ErrorCode::bad_weights, {file_name, ": ", joined(message)});
}

// Names of before 2019: LayerNorm.gamma and LayerNorm.beta.
std::string modern_name(std::string_view name) {
  for (const auto& [old_end, new_end] : {std::pair{".gamma", ".weight"}, std::pair{".beta", ".bias"}})
    if (name.ends_with(old_end)) return std::string(name.substr(0, name.size() - std::string_view(old_end).size())) + new_end;
  return std::string(name);
}

// What is read at a time: 4 MB of F32.
constexpr size_t kPartValues = 1 << 20;

size_t row_values(const Parameter& p) { return p.size() / static_cast<size_t>(p.shape[0]); }

// Values that are read at a time; a transposed matrix comes whole.
size_t part_values(const Parameter& p) {
  return p.form == FileForm::transposed ? p.size() : part_rows(p, kPartValues) * row_values(p);
}

// Of values in order, whatever the parts they come in (FNV-1a by words); 0 and −0 are equal.
uint64_t digest_of(std::span<const float> values, uint64_t digest) {
  for (const float value : values) {
    const float unsigned_zero = value + 0.f;
    uint32_t bits;
    std::memcpy(&bits, &unsigned_zero, sizeof(bits));
    digest = (digest ^ bits) * 0x100000001b3;
  }
  return digest;
}

bool can_be_weights(DType dtype) { return dtype == DType::f32 || dtype == DType::f16 || dtype == DType::bf16; }

}  // namespace

CheckpointReader::CheckpointReader(std::string config_json, Layout layout)
    : model_(std::make_unique<Model>(std::move(config_json), layout, Allocation::later)) {
  for (const Tie& tie : model_->family().ties)
    if (Parameter* original = applies(tie) ? find(tie.original) : nullptr) tied_.insert(original);
}

CheckpointReader::~CheckpointReader() = default;

// Files of plain models may carry the prefix and files of models with a head may lack it: transformers reads both.
Parameter* CheckpointReader::find(std::string_view file_tensor) {
  const std::string name = modern_name(file_tensor), prefix(model_->family().prefix);
  std::vector<std::string> spellings = {name, prefix + name};
  if (!prefix.empty() && name.starts_with(prefix)) spellings.push_back(name.substr(prefix.size()));
  for (Parameter& p : model_->weights().parameters())
    if (std::find(spellings.begin(), spellings.end(), p.name) != spellings.end()) return &p;
  return nullptr;
}

// Of a head only where there is one and the config ties it.
bool CheckpointReader::applies(const Tie& tie) const {
  const Config& c = model_->config();
  return !tie.of_head || c.task == Task::masked_lm || (c.task == Task::language_model && c.tied);
}

Parameter* CheckpointReader::copied(std::string_view file_tensor) {
  const std::string_view prefix = model_->family().prefix;
  const std::string_view body = file_tensor.starts_with(prefix) ? file_tensor.substr(prefix.size()) : file_tensor;
  for (const Tie& tie : model_->family().ties)
    if ((tie.copy == file_tensor || tie.copy == body) && applies(tie)) return find(tie.original);
  return nullptr;
}

bool CheckpointReader::ignored(std::string_view file_tensor) const {
  const std::string_view prefix = model_->family().prefix;
  if (file_tensor.starts_with(prefix)) file_tensor.remove_prefix(prefix.size());
  for (const std::string_view pattern : model_->family().ignored)
    if (matches_pattern(pattern, file_tensor)) return true;
  return false;
}

std::vector<CheckpointReader::Wanted> CheckpointReader::open_file(std::span<const uint8_t> head, uint64_t file_size,
                                                                  std::string_view file_name) {
  if (model_->weights().allocated())
    throw_error(ErrorCode::bad_input, {file_name, ": expected the headers of all files before the first tensor"});
  std::vector<Wanted> wanted;
  for (const TensorEntry& entry : read_header(head, file_size, file_name)) {
    Parameter* parameter = find(entry.name);
    const bool is_copy = !parameter && (parameter = copied(entry.name));
    if (!parameter) {
      if (ignored(entry.name)) continue;
      std::vector<std::string> names;
      for (const Parameter& p : model_->weights().parameters()) names.push_back(p.name);
      refuse(file_name, {"the config does not explain the tensor ", in_quotes(entry.name, 120),
                         "; nearest: ", join_names(nearest(entry.name, names))});
    }
    std::string shape = "[";
    for (const int64_t extent : entry.shape) shape += (shape.size() > 1 ? ", " : "") + std::to_string(extent);
    const Shape expected = file_shape(*parameter);
    if (!std::equal(entry.shape.begin(), entry.shape.end(), expected.extents().begin(), expected.extents().end()))
      refuse(file_name, {"tensor \"", entry.name, "\": expected shape ", expected, ", got ", shape, "]"});
    if (!can_be_weights(entry.dtype))
      refuse(file_name, {"tensor \"", entry.name, "\": expected F32, F16 or BF16, got ", dtype_name(entry.dtype)});
    if (is_copy ? sources_.contains(entry.name) : !found_.insert(parameter).second)
      refuse(file_name, {"tensor \"", entry.name, "\" came before, as ", parameter->name, " in this or another file"});
    sources_.insert_or_assign(entry.name, Source{entry.dtype, parameter, is_copy});
    wanted.push_back({entry.name, entry.begin, entry.end, entry.dtype, parameter, is_copy,
                      part_values(*parameter) * dtype_width(entry.dtype)});
  }
  return wanted;
}

void CheckpointReader::read(std::string_view name, std::span<const uint8_t> bytes) {
  const auto source = sources_.find(name);
  if (source == sources_.end()) throw_error(ErrorCode::bad_input, {"tensor \"", name, "\" was not asked for"});
  if (!model_->weights().allocated()) allocate();
  auto& [dtype, parameter, is_copy, done, digest] = source->second;
  const uint64_t count = bytes.size() / dtype_width(dtype), width = row_values(*parameter);
  const bool last = done + count == parameter->size();
  if (bytes.size() % dtype_width(dtype) != 0 || done + count > parameter->size() ||
      (!last && (count == 0 || count % part_values(*parameter) != 0)))
    throw_error(ErrorCode::bad_input, {"tensor \"", name, "\": a part of ", bytes.size(), " bytes does not fit after ", done,
                                       " of ", parameter->size(), " values"});
  std::vector<float> values(static_cast<size_t>(count));
  to_float(dtype, bytes, values, name);
  for (size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      throw_error(ErrorCode::bad_weights, {"tensor \"", name, "\": expected finite values, got ",
                                           static_cast<double>(values[i]), " at index ", done + i});
  if (tied_.contains(parameter)) digest = digest_of(values, digest);
  if (!is_copy && parameter->form == FileForm::transposed)
    copy_from_file(*parameter, values.data());
  else if (!is_copy)
    copy_rows_in(*parameter, static_cast<size_t>(done / width), static_cast<size_t>(count / width), values.data());
  done += count;
  if (last && !is_copy) filled_.insert(parameter);
}

std::vector<std::pair<Parameter*, const Parameter*>> CheckpointReader::lacking_heads() {
  std::vector<std::pair<Parameter*, const Parameter*>> heads;
  for (const Tie& tie : model_->family().ties) {
    Parameter *head = tie.fills ? find(tie.copy) : nullptr, *table = find(tie.original);
    if (head && !found_.contains(head) && found_.contains(table)) heads.emplace_back(head, table);
  }
  return heads;
}

void CheckpointReader::refuse_missing(const std::set<const Parameter*>& there) const {
  std::vector<std::string> missing;
  for (const Parameter& p : model_->weights().parameters())
    if (!there.contains(&p)) missing.push_back(p.name);
  if (missing.empty()) return;
  const size_t count = missing.size();
  missing.resize(std::min<size_t>(count, 5));
  throw_error(ErrorCode::bad_weights, {"the checkpoint lacks ", count, " of ", model_->weights().parameters().size(),
                                       " tensors, among them ", join_names(missing)});
}

void CheckpointReader::allocate() {
  std::set<const Parameter*> there = found_;
  for (const auto& [head, table] : lacking_heads()) there.insert(head);
  refuse_missing(there);
  model_->weights().allocate();
}

std::unique_ptr<Model> CheckpointReader::finish() {
  if (!model_->weights().allocated()) allocate();
  for (const auto& [head, table] : lacking_heads()) {
    if (!filled_.contains(table)) continue;
    std::vector<float> values(table->size());
    copy_to_file(*table, values.data());
    copy_rows_in(*head, 0, head->size() / row_values(*head), values.data());
    filled_.insert(head);
  }
  refuse_missing(filled_);
  for (const auto& [name, copy] : sources_)
    for (const auto& [original_name, original] : sources_)
      if (copy.is_copy && !original.is_copy && original.parameter == copy.parameter && original.digest != copy.digest)
        throw_error(ErrorCode::unsupported, {"the tensor \"", name, "\" is not equal to \"", original_name,
                                             "\"; expected an output table that is tied to the embedding"});
  return std::move(model_);
}

SavedHeader saved_header(const Model& model, DType dtype) {
  std::vector<TensorEntry> entries;
  std::map<std::string, const Parameter*, std::less<>> by_name;
  for (const Parameter& p : model.weights().parameters()) {
    const Shape shape = file_shape(p);
    entries.push_back({p.name, dtype, {shape.extents().begin(), shape.extents().end()}, 0, 0});
    by_name.emplace(p.name, &p);
  }
  SavedHeader saved{write_header(entries), {}};
  for (const TensorEntry& entry : entries) saved.order.push_back(by_name.at(entry.name));
  return saved;
}

std::vector<uint8_t> saved_tensor(const Parameter& parameter, DType dtype, const float* values) {
  std::vector<float> stored(parameter.size());
  if (values)
    to_file_order(parameter, values, stored.data());
  else
    copy_to_file(parameter, stored.data());
  std::vector<uint8_t> bytes(parameter.size() * dtype_width(dtype));
  from_float(dtype, stored, bytes, parameter.name);
  return bytes;
}

std::string saved_config(const Model& model, DType dtype) {
  const char* name = dtype == DType::f16 ? "float16" : dtype == DType::bf16 ? "bfloat16" : "float32";
  return with_member(without_member(model.config_json(), "torch_dtype"), "dtype", name);
}

}  // namespace glass
