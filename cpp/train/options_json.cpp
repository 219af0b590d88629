// The options of `train` as JSON, with the names of the public interface.
#include <map>

#include "io/json.h"
#include "tensor/error.h"
#include "train/options.h"

namespace glass {
namespace {

Schedule read_schedule(const JsonObject& json) {
  static const std::map<std::string, Schedule> known = {
      {"constant", Schedule::constant}, {"noam", Schedule::noam}, {"linear", Schedule::linear}, {"cosine", Schedule::cosine}};
  const auto found = known.find(json.string("schedule", "constant"));
  if (found != known.end()) return found->second;
  throw_error(ErrorCode::bad_input,
              {"schedule: expected \"constant\", \"noam\", \"linear\" or \"cosine\", got ", json.shown("schedule")});
}

void read_optimizer(const JsonObject& json, TrainOptions& o) {
  const auto number = [&](const char* key, float fallback) {
    return static_cast<float>(json.number(key, {}, static_cast<double>(fallback)));
  };
  o.lr = number("lr", o.lr);
  o.beta1 = json.number("beta1", {}, o.beta1);
  o.beta2 = json.number("beta2", {}, o.beta2);
  o.eps = number("eps", o.eps);
  o.weight_decay = number("weightDecay", o.weight_decay);
}

}  // namespace

void refuse_unread(const JsonObject& json) {
  const std::vector<std::string> unread = json.unread();
  if (!unread.empty())
    throw_error(ErrorCode::bad_input, {json.where(), ": \"", unread.front(), "\" is not an option of train"});
}

TrainOptions parse_train_options(std::string_view text) {
  const JsonObject json = JsonObject::parse(text, "options");
  const TrainOptions options = read_train_options(json);
  refuse_unread(json);
  return options;
}

TrainOptions read_train_options(const JsonObject& json) {
  TrainOptions o;
  const auto number = [&](const char* key, float fallback) {
    return static_cast<float>(json.number(key, {}, static_cast<double>(fallback)));
  };
  o.steps = json.integer("steps", {}, o.steps);
  o.batch_size = json.integer("batchSize", {}, o.batch_size);
  o.accumulate = json.integer("accumulate", {}, o.accumulate);
  o.schedule = read_schedule(json);
  if (o.schedule == Schedule::noam) o.lr = 1.f;  // a factor there, and the paper has none
  const JsonObject optimizer = json.object("optimizer");
  read_optimizer(optimizer, o);
  refuse_unread(optimizer);
  o.warmup = json.integer("warmup", {}, o.warmup);
  o.label_smoothing = number("labelSmoothing", o.label_smoothing);
  o.dropout = number("dropout", o.dropout);
  o.clip = number("clip", o.clip);
  o.recompute_every = static_cast<int>(json.integer("recomputeEvery", {0, 1 << 20}, o.recompute_every));
  o.ema = number("ema", o.ema);
  o.average_last = json.integer("averageLast", {}, o.average_last);
  o.trainable = json.strings("trainable");
  const JsonObject guide = json.object("guide");
  o.guide.layer = guide.integer("layer", {0, 1 << 10}, 0);
  o.guide.head = guide.integer("head", {0, 1 << 10}, 0);
  o.guide.weight = static_cast<float>(guide.number("weight", {0, 100}, 0));
  refuse_unread(guide);
  o.seed = static_cast<uint64_t>(json.integer("seed", {0, int64_t{1} << 53}, 0));
  o.threads = static_cast<int>(json.integer("threads", {1, 64}, o.threads));
  check(o);
  return o;
}

}  // namespace glass
