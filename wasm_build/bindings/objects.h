// Building JavaScript's objects and lists. Not Embind's own `set`, which is a template for each type and each length of a key.
#pragma once

#include <emscripten/val.h>

#include <string>

namespace glass::bindings {

void set(emscripten::val& object, const char* key, const emscripten::val& value);
void set(emscripten::val& object, const char* key, double value);
void set(emscripten::val& object, const char* key, const std::string& value);

void push(emscripten::val& list, const emscripten::val& item);

}  // namespace glass::bindings
