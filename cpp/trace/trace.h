// Recording and editing: what a run is asked for, by hook name, and the hooks that do it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ops/context.h"

namespace glass {

// An announced value. Holding it keeps ops from writing over it, so it is not copied until somebody asks; it goes before the
// run's arena does.
struct Recorded {
  std::string name;
  std::vector<std::string> dims;  // "batch", "head", "query", "key", "pos", "dim"
  Tensor value;
};

// A change of an announced value before anything downstream reads it. It applies where every given coordinate fits.
struct Edit {
  enum class Kind { set, scale, add };
  std::string at;                        // the hook's full name
  std::map<std::string, int64_t> where;  // by dimension name; those not named are taken whole; negative counts from the end
  Kind kind = Kind::set;
  std::vector<float> values;        // one for all, or one for each value of the selected part, in row-major order
  std::optional<Shape> shape = {};  // of values that come from another run: the selected part must have it
};

class Trace : public Hooks {
 public:
  Trace(std::vector<std::string> patterns, std::vector<Edit> edits);

  // Throws Error(bad_input) where an edit does not fit the value it is for.
  Tensor visit(const Context& cx, const std::string& name, std::string_view dims, Tensor value) override;

  // After the run. Throws Error(not_found), with the nearest hook names, for a pattern or an edit that met no hook.
  void check_all_met() const;
  std::vector<Recorded>& recorded() { return recorded_; }

 private:
  std::vector<std::string> patterns_;
  std::vector<Edit> edits_;
  std::vector<bool> pattern_met_, edit_met_;
  std::vector<std::string> names_;  // every hook that the run announced
  std::vector<Recorded> recorded_;
};

// Lists hooks without copying their values.
struct HookInfo {
  std::string name;
  std::vector<std::string> dims;
};
class HookList : public Hooks {
 public:
  Tensor visit(const Context& cx, const std::string& name, std::string_view dims, Tensor value) override;
  std::vector<HookInfo> hooks;
};

}  // namespace glass
