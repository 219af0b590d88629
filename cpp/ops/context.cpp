#include "ops/context.h"

#include <algorithm>

namespace glass {

Tensor HookKeeper::visit(const Context&, const std::string& name, std::string_view, Tensor value) {
  if (name == name_) value_ = value;
  return value;
}

Context Context::in(std::string_view name) const {
  Context inner = *this;
  if (hooks) inner.scope.append(name).append(".");
  return inner;
}

Context Context::in(std::string_view name, int index) const {
  Context inner = *this;
  if (hooks) inner.scope.append(name).append(".").append(std::to_string(index)).append(".");
  return inner;
}

Tensor Context::zeros(Shape shape) const {
  Tensor x = make(shape);
  std::fill_n(x.data(), x.size(), 0.f);
  return x;
}

Tensor Context::reuse(Tensor& x) const { return x.unique() && !tracks(x) ? std::move(x) : make(x.shape()); }

}  // namespace glass
