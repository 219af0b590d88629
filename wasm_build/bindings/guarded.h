// What every call from JavaScript runs in. An exception that leaves wasm leaks stack and carries no message, so none does:
// a call returns { value }, or { error: { code, message } } with the codes of tensor/error.h.
#pragma once

#include <emscripten/val.h>

#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "tensor/error.h"

namespace glass::bindings {

inline emscripten::val failure(ErrorCode code, const std::string& message) {
  emscripten::val error = emscripten::val::object();
  error.set("code", std::string(error_code_name(code)));
  error.set("message", message);
  emscripten::val result = emscripten::val::object();
  result.set("error", error);
  return result;
}

template <typename Body>
emscripten::val call_guarded(Body&& body) {
  try {
    emscripten::val result = emscripten::val::object();
    if constexpr (std::is_void_v<decltype(body())>) {
      body();
      result.set("value", emscripten::val::undefined());
    } else {
      result.set("value", body());
    }
    return result;
  } catch (const Error& error) {
    return failure(error.code(), error.what());
  } catch (const std::bad_alloc&) {
    return failure(ErrorCode::out_of_memory, "not enough memory: WebAssembly can use at most 4 GB in all");
  } catch (const std::length_error&) {
    return failure(ErrorCode::out_of_memory, "too large for the memory of WebAssembly, at most 4 GB in all");
  } catch (const std::exception& error) {
    return failure(ErrorCode::bad_input, error.what());
  } catch (...) {
    return failure(ErrorCode::bad_input, "unknown error in the core");
  }
}

}  // namespace glass::bindings
