// The functions that JavaScript sees, by the file they are in. Each returns { value } or { error }, see guarded.h; handles
// are numbers, see handles.h; { shape, data } is a Tensor, its data a Float32Array.
#pragma once

#include <emscripten/val.h>

#include <string>

namespace glass::bindings {

using emscripten::val;

// ---- core.cpp ----
// Chooses the fastest register tile by trial, some milliseconds; before anything else. → the tile's name
val warm_up();
// → { inUse, most, heap } in bytes: handed out by the allocator now; the most it has needed, with the program's own data;
// the size of the memory, which grows ahead of that
val memory();

// ---- checkpoints.cpp ----
// Bytes that are wanted of a safetensors file's beginning, given its first 8 or more.
val header_size(const val& head, double file_size, const std::string& file_name);
val loader_open(const std::string& config_json, const std::string& dtype);  // "F32" or "int8" → loader
// → [{ name, begin, end, part }], the byte ranges that are wanted of this file, each to be read in parts of that size
val loader_file(int loader, const val& head, double file_size, const std::string& file_name);
val loader_read(int loader, const std::string& name, const val& bytes);
val loader_finish(int loader);  // → model; the loader is gone, also after an error
val loader_close(int loader);
// dtype "F32", "F16" or "BF16" → { head, tensors: [name] }: the file's beginning, and whose bytes follow
val saved_header(int model, const std::string& dtype);
val saved_tensor(int model, const std::string& name, const std::string& dtype);
val saved_config(int model, const std::string& dtype);

// ---- models.cpp ----
val model_create(const std::string& config_json, double seed);  // → model
// → { configJson, family, kind, task, labels, vocabSize, maxPositions (0: any), types, padId, decoderStartId (−1: none),
// parameters, hooks }
val model_describe(int model);
val model_parameter(int model, const std::string& name);
val model_set_parameter(int model, const std::string& name, const val& shape, const val& values);
// batch { size, length, ids, mask, types, target: { size, length, ids, mask } }; edits [{ at, kind, where: { dim: index },
// values }] → { output: { logits, lastHidden, encoderLastHidden, pooled }, recorded: [{ name, dims, shape, data }], ms, macs }
val model_run(int model, const val& batch, const val& patterns, const val& edits);
val model_dispose(int model);

// ---- ops.cpp ----
val op_names();  // → [name]
// args: a list of numbers, booleans, texts, tensors, and lists and objects of these → [{ name, shape, data }]; `mistaken`: of
// the wrong forms in cpp/mistakes
val op_call(const std::string& name, const val& args, bool mistaken);
val op_gradients(const std::string& name, const val& args, const val& upstream, bool mistaken);
val op_measure(const std::string& name, const val& args, const val& upstream);  // upstream may be absent → { macs, peakBytes }

// ---- generation.cpp ----
// prompt { ids, mask, decoderIds }; generation_config: a text, empty where there is none; texts { bytes, ends } of the tokens,
// null where no stop string is asked for → generator
val generator_open(int model, const val& prompt, const std::string& options_json, const std::string& generation_config,
                   const val& patterns, const val& edits, const val& texts);
// One token more → what model_run gives and { past, sequences, read: the decoder's ids, chosen and top: [{ id, logprob }] or
// beams: [{ ids, score, parent }], cacheBytes, ending: 'end-token', 'stop', 'length', 'positions' or '', result at the end }
val generator_step(int generator);
val generator_result(int generator);  // so far → { ids, score, behind: bytes behind a stop string that ended it }
val generator_close(int generator);

// ---- training.cpp ----
val trainer_open(int model, const std::string& options_json, const val& state);  // → { trainer, steps }
// lengths: [ids, types, labels] of each example; values: all of them one after the other
// → { step, loss, lr, gradNorm, tokensPerSecond, peakBytes, macs }
val trainer_step(int trainer, const val& lengths, const val& values);
val trainer_state(int trainer);
val trainer_finish(int trainer);  // training is over; its state can still be asked for
val trainer_close(int trainer);

}  // namespace glass::bindings
