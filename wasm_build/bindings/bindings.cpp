// The table of what JavaScript may call; functions.h says what each does.
#include <emscripten/bind.h>

#include "functions.h"

EMSCRIPTEN_BINDINGS(glassformer) {
  using emscripten::function;
  namespace b = glass::bindings;
  emscripten::constant("version", std::string(GLASS_VERSION));
  function("warmUp", &b::warm_up);
  function("memory", &b::memory);

  function("headerSize", &b::header_size);
  function("loaderOpen", &b::loader_open);
  function("loaderFile", &b::loader_file);
  function("loaderRead", &b::loader_read);
  function("loaderFinish", &b::loader_finish);
  function("loaderClose", &b::loader_close);
  function("savedHeader", &b::saved_header);
  function("savedTensor", &b::saved_tensor);
  function("savedConfig", &b::saved_config);

  function("modelCreate", &b::model_create);
  function("modelDescribe", &b::model_describe);
  function("modelParameter", &b::model_parameter);
  function("modelSetParameter", &b::model_set_parameter);
  function("modelRun", &b::model_run);
  function("modelDispose", &b::model_dispose);

  function("generatorOpen", &b::generator_open);
  function("generatorStep", &b::generator_step);
  function("generatorResult", &b::generator_result);
  function("generatorClose", &b::generator_close);

  function("opNames", &b::op_names);
  function("opCall", &b::op_call);
  function("opGradients", &b::op_gradients);
  function("opMeasure", &b::op_measure);

  function("trainerOpen", &b::trainer_open);
  function("trainerStep", &b::trainer_step);
  function("trainerState", &b::trainer_state);
  function("trainerFinish", &b::trainer_finish);
  function("trainerClose", &b::trainer_close);
}
