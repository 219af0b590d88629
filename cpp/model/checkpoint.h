// Checkpoints in Hugging Face layout: tensors come in one at a time, in any order, from any number of files, straight into
// the layout that the kernels read; and go out as one file.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/dtype.h"
#include "model/model.h"

namespace glass {

struct Tie;

// Reads a checkpoint into a new model: config first, then each file's header, then the tensors they ask for, then finish().
// The model gets its memory with the first tensor, once all that the config asks for is known to be in the files.
class CheckpointReader {
 public:
  // Throws as Model's constructor does.
  explicit CheckpointReader(std::string config_json, Layout layout = Layout::panels);
  ~CheckpointReader();

  // A tensor whose bytes [begin, end) of the file are wanted.
  struct Wanted {
    std::string name;
    uint64_t begin, end;
    DType dtype;
    const Parameter* parameter;  // where its values go, or what they are compared with
    bool is_copy;                // compared: of a tied weight
    uint64_t part;               // bytes that read() is best given at a time: some megabytes
  };
  // `head` is the file's beginning, at least as long as header_size() says. Tensors that the config explains but a run does
  // not need are left out. Throws Error(bad_weights) for a malformed header, a tensor that the config does not explain, one
  // of the wrong shape or type, or one that came before in this or another file; Error(bad_input) behind the first read().
  std::vector<Wanted> open_file(std::span<const uint8_t> head, uint64_t file_size, std::string_view file_name);
  // The bytes of a wanted tensor, all at once or in order, in parts of `part` bytes and a last one of any size. Throws
  // Error(bad_weights) naming what the files lack or where values are not finite, Error(bad_input) for more or other bytes
  // than were wanted, and Error(out_of_memory).
  void read(std::string_view name, std::span<const uint8_t> bytes);
  // A head that the files lack begins as the table that its family names. Throws Error(bad_weights) naming what is missing or
  // has not been read, Error(unsupported) where a copy of a tied weight is none.
  std::unique_ptr<Model> finish();

 private:
  struct Source {
    DType dtype;
    Parameter* parameter;
    bool is_copy;
    uint64_t done = 0;  // values read
    uint64_t digest = 0xcbf29ce484222325;
  };
  Parameter* find(std::string_view file_tensor);
  Parameter* copied(std::string_view file_tensor);  // what a tensor has to be a copy of; null for others
  bool applies(const Tie& tie) const;
  // Heads that the files lack, each with the table that it begins as.
  std::vector<std::pair<Parameter*, const Parameter*>> lacking_heads();
  void refuse_missing(const std::set<const Parameter*>& there) const;
  void allocate();
  bool ignored(std::string_view file_tensor) const;

  std::unique_ptr<Model> model_;
  std::map<std::string, Source, std::less<>> sources_;  // by the name in the file
  std::set<const Parameter*> found_, filled_;
  std::set<const Parameter*> tied_;  // those that may have a copy
};

// The beginning of model.safetensors for these parameters, and then each of them as bytes, in the order of `order`.
struct SavedHeader {
  std::vector<uint8_t> bytes;
  std::vector<const Parameter*> order;
};
// dtype: F32, F16 or BF16.
SavedHeader saved_header(const Model& model, DType dtype);
// `values`, where given, stands for the parameter's own values (rows), such as a moving average of them.
std::vector<uint8_t> saved_tensor(const Parameter& parameter, DType dtype, const float* values = nullptr);
// config.json as it was read, with the dtype of the saved file, which transformers loads by.
std::string saved_config(const Model& model, DType dtype);

}  // namespace glass
