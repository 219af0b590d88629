// What every call from JavaScript runs in. An exception that leaves wasm leaks stack and carries no message, so none does:
// a call returns { value }, or { error: { code, message } } with the codes of tensor/error.h.
#pragma once

#include <emscripten/val.h>

#include <type_traits>

namespace glass::bindings {

// { error } for the exception that is being handled.
emscripten::val failure();

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
  } catch (...) {
    return failure();
  }
}

}  // namespace glass::bindings
