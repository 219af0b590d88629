// Arguments of the public ops as callers outside the core give them, and their checked reading.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "tensor/shape.h"

namespace glass {

struct Argument;

// Values with a shape: floats, ids, or bytes (a boolean mask, 1 = may be seen). As many as the shape says.
struct TensorArgument {
  Shape shape;
  std::variant<std::vector<float>, std::vector<int32_t>, std::vector<uint8_t>> values;
};
using ListArgument = std::vector<Argument>;
struct ObjectArgument {
  std::vector<std::string> keys;
  std::vector<Argument> values;  // one for each key
};

struct Argument {
  // std::monostate: absent.
  std::variant<std::monostate, bool, double, std::string, TensorArgument, ListArgument, ObjectArgument> value;
};

// Named arguments: those of a call, or the members of an object among them. Getters throw Error(bad_input) naming the op, the
// argument, what was expected and what came; without a fallback the argument must be there. What is found stays owned by the
// caller, who keeps it while this is in use.
class Fields {
 public:
  // `where` begins every message ("layerNorm"), `prefix` every name ("layers.0.").
  Fields(std::string where, std::string prefix) : where_(std::move(where)), prefix_(std::move(prefix)) {}

  void add(std::string name, const Argument& argument);
  void add_all(const ObjectArgument& object);

  const Argument* find(std::string_view name);  // null where absent; counts as read
  double number(std::string_view name);
  double number(std::string_view name, double fallback);
  double eps(double fallback);                            // of a norm, by that name: at least 0, as the root of less is none
  int64_t integer(std::string_view name, int64_t least);  // at least `least`
  int64_t integer(std::string_view name, int64_t least, int64_t fallback);
  int32_t id(std::string_view name, int32_t fallback);  // whole, of 32 bits
  bool boolean(std::string_view name, bool fallback);
  std::string text(std::string_view name, std::string_view fallback);
  const TensorArgument& tensor(std::string_view name);       // its values as many as its shape says
  const TensorArgument* find_tensor(std::string_view name);  // null where absent
  const std::vector<float>& floats(std::string_view name);   // of a tensor of floats
  std::vector<int32_t> ids(std::string_view name);           // of a tensor of whole numbers, whatever holds them
  const ListArgument& list(std::string_view name);
  std::vector<double> numbers(std::string_view name, size_t count);  // a list of so many
  Fields object(std::string_view name, const std::string& prefix);   // empty where absent
  Fields object(const Argument& item, const std::string& prefix);    // of a list

  // Throws where something was given that nothing has read: a name that is spelt wrong would be ignored otherwise.
  void refuse_unread() const;

  std::string full_name(std::string_view name) const { return prefix_ + std::string(name); }
  [[noreturn]] void refuse(std::string_view name, std::string_view expected, std::string_view got) const;
  std::vector<std::string> names() const;

 private:
  const Argument& need(std::string_view name, const char* expected);

  std::string where_, prefix_;
  std::vector<std::pair<std::string, const Argument*>> given_;
  std::set<std::string, std::less<>> read_;
};

// "a number", "a tensor of shape [2, 3]", for messages.
std::string describe(const Argument& argument);

}  // namespace glass
