#include "guarded.h"

#include <exception>
#include <new>
#include <stdexcept>
#include <string>

#include "tensor/error.h"

namespace glass::bindings {
namespace {

emscripten::val with_error(ErrorCode code, const std::string& message) {
  emscripten::val error = emscripten::val::object();
  set(error, "code", error_code_name(code));
  set(error, "message", message);
  emscripten::val result = emscripten::val::object();
  set(result, "error", error);
  return result;
}

}  // namespace

emscripten::val failure() {
  try {
    throw;
  } catch (const Error& error) {
    return with_error(error.code(), error.what());
  } catch (const std::bad_alloc&) {
    return with_error(ErrorCode::out_of_memory, "not enough memory: WebAssembly can use at most 4 GB in all");
  } catch (const std::length_error&) {
    return with_error(ErrorCode::out_of_memory, "too large for the memory of WebAssembly, at most 4 GB in all");
  } catch (const std::exception& error) {
    return with_error(ErrorCode::bad_input, error.what());
  } catch (...) {
    return with_error(ErrorCode::bad_input, "unknown error in the core");
  }
}

}  // namespace glass::bindings
