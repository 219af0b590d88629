#include "objects.h"

namespace glass::bindings {

using emscripten::val;

void set(val& object, const char* key, const val& value) { object.set(key, value); }
void set(val& object, const char* key, double value) { object.set(key, value); }
void set(val& object, const char* key, const std::string& value) { object.set(key, value); }

void push(val& list, const val& item) { list.call<void>("push", item); }

}  // namespace glass::bindings
