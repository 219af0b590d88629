// The core as a whole: its start, and how much memory it uses.
#include <emscripten/heap.h>
#include <malloc.h>
#include <unistd.h>

#include "convert.h"
#include "functions.h"
#include "guarded.h"
#include "kernels/gemm.h"

namespace glass::bindings {

val warm_up() {
  return call_guarded([] {
    choose_tile();
    return std::string(current_tile().name);
  });
}

val memory() {
  return call_guarded([] {
    val figures = val::object();
    set(figures, "inUse", static_cast<double>(static_cast<size_t>(mallinfo().uordblks)));
    set(figures, "most", static_cast<double>(reinterpret_cast<uintptr_t>(sbrk(0))));
    set(figures, "heap", static_cast<double>(emscripten_get_heap_size()));
    return figures;
  });
}

}  // namespace glass::bindings
