// config.json: only glass::Error may come out of the JSON reader and of the families' parser, with a message that can be shown.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "io/json.h"
#include "io/json_edit.h"
#include "io/text.h"
#include "model/config.h"
#include "tensor/error.h"

namespace {

using namespace glass;

void require(bool holds) {
  if (!holds) std::abort();
}

// The message must be UTF-8 without control characters, and shortened however long the text is.
void require_showable(const Error& error) {
  const std::string_view message = error.what();
  require(!message.empty() && message.size() < 4000);
  for (size_t at = 0; at < message.size();) {
    const size_t length = utf8_length(message, at);
    require(length > 0 && static_cast<uint8_t>(message[at]) >= 0x20);
    at += length;
  }
}

template <typename Call>
void attempt(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    require_showable(error);
  }
}

// Every getter on every key, into the objects inside; a string that is read can be written and reads back.
void read_all(const JsonObject& object) {
  for (const std::string& key : object.keys()) {
    attempt([&] {
      const int64_t value = object.integer(key, {-5, 1000000}, -9);
      require(value == -9 || (value >= -5 && value <= 1000000));
    });
    attempt([&] { object.number(key); });
    attempt([&] {
      const std::string value = object.string(key);
      require(JsonObject::parse(with_member("{}", key, value), "written").string(key) == value);
    });
    attempt([&] { object.boolean(key); });
    attempt([&] { object.string_map(key); });
    attempt([&] { object.integer_map(key, {0}); });
    attempt([&] { object.strings(key); });
    attempt([&] { object.integers(key); });
    attempt([&] { read_all(object.object(key)); });
    require(!object.shown(key).empty());
  }
  require(object.unread().empty());
}

void require_sound(const StackShape& stack) {
  require(stack.n_layers > 0 && stack.n_heads > 0 && stack.head_size > 0 && stack.feed_forward_size > 0);
  require(stack.n_key_heads > 0 && stack.n_heads % stack.n_key_heads == 0);
}

void require_sound(const Config& config) {
  require(config.hidden_size > 0 && config.embedding_size > 0 && config.vocab_size > 0);
  require(config.max_positions >= 0 && config.n_types >= 0 &&
          config.n_layer_groups >= 0);  // no positions: as many as one likes
  require(config.positions != Positions::learned || config.max_positions > 0);
  require((config.positions == Positions::rotary) == !config.rotary_frequencies.empty());
  if (config.kind != Kind::decoder) require_sound(config.encoder);
  if (config.kind != Kind::encoder) require_sound(config.decoder);
  require(config.norm_eps >= 0.0f && config.norm_eps <= 1.0f);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  attempt([&] { read_all(JsonObject::parse(text, "config.json")); });
  attempt([&] { require_sound(parse_config(text)); });
  return 0;
}
