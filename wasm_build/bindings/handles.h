// What JavaScript holds of the core's objects: numbers, which pass to a worker as they are, are never given twice, and once
// disposed lead to an error instead of to freed memory.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "tensor/error.h"

namespace glass::bindings {

template <typename T>
class Handles {
 public:
  explicit Handles(const char* what) : what_(what) {}

  int add(std::unique_ptr<T> object) {
    objects_.emplace(++last_, std::move(object));
    return last_;
  }
  // Throws Error(disposed).
  T& at(int handle) {
    const auto found = objects_.find(handle);
    if (found == objects_.end()) throw_error(ErrorCode::disposed, {"the ", what_, " has been disposed"});
    return *found->second;
  }
  // Throws Error(disposed). The handle is no longer known afterwards.
  std::unique_ptr<T> take(int handle) {
    at(handle);
    return std::move(objects_.extract(handle).mapped());
  }
  // Disposing twice is no error.
  void remove(int handle) { objects_.erase(handle); }
  template <typename Condition>
  void remove_where(Condition&& condition) {
    for (auto at = objects_.begin(); at != objects_.end();) at = condition(*at->second) ? objects_.erase(at) : std::next(at);
  }

 private:
  const char* what_;
  std::map<int, std::unique_ptr<T>> objects_;
  int last_ = 0;
};

}  // namespace glass::bindings
