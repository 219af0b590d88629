// What every call from JavaScript runs in. An exception that leaves wasm leaks stack and carries no message, so none does:
// a call returns { value }, or { error: { code, message } } with the codes of tensor/error.h.
#pragma once

#include <emscripten/val.h>

#include <type_traits>

#include "objects.h"

namespace glass::bindings {

// { error } for the exception that is being handled.
emscripten::val failure();

template <typename Body>
emscripten::val call_guarded(Body&& body) {
  try {
    emscripten::val result = emscripten::val::object();
    if constexpr (std::is_void_v<decltype(body())>) {
      body();
      set(result, "value", emscripten::val::undefined());
    } else {
      set(result, "value", body());
    }
    return result;
  } catch (...) {
    return failure();
  }
}

}  // namespace glass::bindings
