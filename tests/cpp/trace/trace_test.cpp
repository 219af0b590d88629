// Recording and editing: names, where an edit applies, what it changes, and gradients through it.
#include "trace/trace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cpp/io/expect_error.h"
#include "cpp/support/golden.h"
#include "cpp/support/tiny.h"
#include "ops/ops.h"

namespace glass {
namespace {

using testing::tiny_bert;
using testing::tiny_config;
using testing::tiny_model;
using testing::values_of;

constexpr int64_t B = 2, T = 5, H = 3, K = 4, D = 12, F = 20;

Batch batch() { return {B, T, {1, 2, 3, 4, 5, 6, 7, 8, 0, 0}, {1, 1, 1, 1, 1, 1, 1, 1, 0, 0}, {}, {}}; }

struct Copy {
  std::vector<std::string> dims;
  Shape shape;
  std::vector<float> values;
};

struct Seen {
  std::map<std::string, Copy> at;
  std::vector<float> logits;
};

Seen run(const Model& model, std::vector<Edit> edits = {}, std::vector<std::string> patterns = {"*"}) {
  Arena arena;
  Trace trace(std::move(patterns), std::move(edits));
  Seen result;
  result.logits = values_of(model.forward(Context{.arena = arena, .hooks = &trace}, batch()).logits);
  trace.check_all_met();
  for (Recorded& r : trace.recorded()) {
    EXPECT_EQ(result.at.count(r.name), 0u) << r.name << " was recorded twice";
    result.at[r.name] = {r.dims, r.value.shape(), values_of(r.value)};
  }
  return result;
}

std::vector<std::string> hook_names(const Model& model) {
  Arena arena;
  HookList list;
  model.forward(Context{.arena = arena, .hooks = &list}, Batch{1, 1, {0}, {}, {}, {}});
  std::vector<std::string> names;
  for (const HookInfo& hook : list.hooks) {
    std::string line = hook.name + ":";
    for (const std::string& dim : hook.dims) line += " " + dim;
    names.push_back(line);
  }
  return names;
}

TEST(Hooks, HaveThePublicNamesInOrder) {
  std::vector<std::string> expected = {"hook_embed: batch pos dim", "hook_pos_embed: batch pos dim",
                                       "hook_type_embed: batch pos dim"};
  for (const char* l : {"0", "1"})
    for (const char* rest :
         {"hook_resid_pre: batch pos dim", "attn.hook_q: batch pos head dim", "attn.hook_k: batch pos head dim",
          "attn.hook_v: batch pos head dim", "attn.hook_attn_scores: batch head query key",
          "attn.hook_pattern: batch head query key", "attn.hook_z: batch pos head dim", "hook_attn_out: batch pos dim",
          "hook_resid_mid: batch pos dim", "mlp.hook_pre: batch pos dim", "mlp.hook_post: batch pos dim",
          "hook_mlp_out: batch pos dim", "hook_resid_post: batch pos dim"})
      expected.push_back(std::string("blocks.") + l + "." + rest);
  EXPECT_EQ(hook_names(*tiny_model(tiny_bert())), expected);

  const std::vector<std::string> family = hook_names(*tiny_model(tiny_config()));
  EXPECT_EQ(std::count(family.begin(), family.end(), "hook_type_embed: batch pos dim"), 0);
  EXPECT_EQ(family.back(), "ln_final.hook_normalized: batch pos dim");
}

TEST(Trace, RecordsWhatPatternsAskFor) {
  const auto model = tiny_model(tiny_bert());
  const Seen all = run(*model, {}, {"*", "blocks.*", "hook_embed"});  // what fits twice is recorded once
  EXPECT_EQ(all.at.size(), hook_names(*model).size());
  const Seen some = run(*model, {}, {"blocks.*.attn.hook_pattern", "hook_embed"});
  EXPECT_EQ(some.at.size(), 3u);
  EXPECT_EQ(some.at.at("blocks.1.attn.hook_pattern").values, all.at.at("blocks.1.attn.hook_pattern").values);
  EXPECT_EQ(some.logits, all.logits);
  Arena arena;
  EXPECT_EQ(values_of(model->forward(Context{arena}, batch()).logits), all.logits);  // listening changes nothing

  const std::map<std::string, Shape> shapes = {{"hook_embed", {B, T, D}},
                                               {"blocks.0.hook_resid_pre", {B, T, D}},
                                               {"blocks.0.attn.hook_q", {B, T, H, K}},
                                               {"blocks.0.attn.hook_k", {B, T, H, K}},
                                               {"blocks.0.attn.hook_v", {B, T, H, K}},
                                               {"blocks.0.attn.hook_z", {B, T, H, K}},
                                               {"blocks.1.attn.hook_attn_scores", {B, H, T, T}},
                                               {"blocks.1.attn.hook_pattern", {B, H, T, T}},
                                               {"blocks.1.mlp.hook_pre", {B, T, F}},
                                               {"blocks.1.mlp.hook_post", {B, T, F}},
                                               {"blocks.1.hook_mlp_out", {B, T, D}}};
  for (const auto& [name, shape] : shapes) EXPECT_EQ(all.at.at(name).shape, shape) << name;
}

TEST(Trace, ValuesFitTogether) {
  const Seen all = run(*tiny_model(tiny_bert()));
  const auto values = [&](const std::string& name) { return all.at.at("blocks.0." + name).values; };
  const auto pre = values("hook_resid_pre"), attended = values("hook_attn_out"), mid = values("hook_resid_mid");
  for (size_t i = 0; i < pre.size(); ++i) EXPECT_EQ(mid[i], pre[i] + attended[i]);

  const auto q = values("attn.hook_q"), k = values("attn.hook_k"), scores = values("attn.hook_attn_scores"),
             pattern = values("attn.hook_pattern");
  for (int64_t b = 0; b < B; ++b)
    for (int64_t h = 0; h < H; ++h)
      for (int64_t t = 0; t < T; ++t) {
        double total = 0;
        for (int64_t s = 0; s < T; ++s) {
          const size_t at = static_cast<size_t>(((b * H + h) * T + t) * T + s);
          total += static_cast<double>(pattern[at]);
          if (b == 1 && s >= 3) {  // padding
            EXPECT_EQ(scores[at], -std::numeric_limits<float>::infinity());
            EXPECT_EQ(pattern[at], 0.f);
            continue;
          }
          double dot = 0;
          for (int64_t i = 0; i < K; ++i)
            dot += static_cast<double>(q[static_cast<size_t>(((b * T + t) * H + h) * K + i)]) *
                   static_cast<double>(k[static_cast<size_t>(((b * T + s) * H + h) * K + i)]);
          EXPECT_NEAR(scores[at], dot / 2, 1e-5);  // the scale is 1/√4
        }
        EXPECT_NEAR(total, 1, 1e-6);
      }
}

TEST(Trace, UnknownNamesGetTheNearest) {
  const auto model = tiny_model(tiny_bert());
  expect_error(ErrorCode::not_found, {"record", "blocks.0.atn.hook_pattern", "\"blocks.0.attn.hook_pattern\""},
               [&] { run(*model, {}, {"blocks.0.atn.hook_pattern"}); });
  expect_error(ErrorCode::not_found, {"edits", "blocks.2.hook_mlp_out", "\"blocks.1.hook_mlp_out\""}, [&] {
    run(*model, {{"blocks.2.hook_mlp_out", {}, Edit::Kind::set, {0.f}}});
  });
  expect_error(ErrorCode::not_found, {"record"}, [&] { run(*model, {}, {std::string(100000, 'x') + "*"}); });
}

// ---- edits ------------------------------------------------------------------------------------------------------------

TEST(Edits, SetScaleAndAddWhereTheyAreTold) {
  const auto model = tiny_model(tiny_bert());
  const std::string z = "blocks.0.attn.hook_z", scores = "blocks.0.attn.hook_attn_scores";
  const Seen before = run(*model);
  const auto check = [&](const Edit& edit, auto&& touched, auto&& expected) {
    const Seen after = run(*model, {edit});
    const Copy &was = before.at.at(edit.at), &is = after.at.at(edit.at);
    std::vector<int64_t> at(was.dims.size());
    size_t hits = 0;
    for (size_t i = 0; i < was.values.size(); ++i) {
      size_t rest = i;
      for (int axis = was.shape.rank() - 1; axis >= 0; --axis) {
        at[static_cast<size_t>(axis)] = static_cast<int64_t>(rest % static_cast<size_t>(was.shape[axis]));
        rest /= static_cast<size_t>(was.shape[axis]);
      }
      const float want = touched(at) ? expected(was.values[i], hits++) : was.values[i];
      EXPECT_EQ(is.values[i], want) << edit.at << " " << i;
    }
    EXPECT_GT(hits, 0u);
  };
  using At = const std::vector<int64_t>&;
  check(
      {z, {}, Edit::Kind::set, {2.f}}, [](At) { return true; }, [](float, size_t) { return 2.f; });
  check(
      {z, {{"head", 1}}, Edit::Kind::set, {0.f}}, [](At at) { return at[2] == 1; }, [](float, size_t) { return 0.f; });
  check(
      {z, {{"batch", 1}, {"pos", -2}, {"head", 0}, {"dim", 3}}, Edit::Kind::add, {1.5f}},
      [](At at) {
        return at == std::vector<int64_t>{1, 3, 0, 3};
      },
      [](float x, size_t) { return x + 1.5f; });
  check(
      {scores, {{"query", 2}, {"key", 0}}, Edit::Kind::scale, {-3.f}}, [](At at) { return at[2] == 2 && at[3] == 0; },
      [](float x, size_t) { return -3.f * x; });
  check(
      {z, {{"pos", 1}, {"batch", 0}, {"head", -1}}, Edit::Kind::set, {1.f, 2.f, 3.f, 4.f}},  // one value for each
      [](At at) { return at[0] == 0 && at[1] == 1 && at[2] == 2; }, [](float, size_t n) { return static_cast<float>(n + 1); });
}

TEST(Edits, ApplyOneAfterTheOther) {
  const auto model = tiny_model(tiny_bert());
  const Seen after = run(*model, {{"hook_embed", {}, Edit::Kind::set, {1.f}},
                                  {"hook_embed", {}, Edit::Kind::scale, {3.f}},
                                  {"hook_embed", {{"dim", 0}}, Edit::Kind::add, {0.5f}}});
  for (size_t i = 0; i < after.at.at("hook_embed").values.size(); ++i)
    EXPECT_EQ(after.at.at("hook_embed").values[i], i % D == 0 ? 3.5f : 3.f);
}

TEST(Edits, ChangeOnlyWhatIsDownstream) {
  const auto model = tiny_model(tiny_bert());
  const Seen before = run(*model), after = run(*model, {{"blocks.1.attn.hook_z", {{"head", 1}}, Edit::Kind::set, {0.f}}});
  const std::vector<std::string> later = {"blocks.1.attn.hook_z",    "blocks.1.hook_attn_out", "blocks.1.hook_resid_mid",
                                          "blocks.1.mlp.hook_pre",   "blocks.1.mlp.hook_post", "blocks.1.hook_mlp_out",
                                          "blocks.1.hook_resid_post"};
  for (const auto& [name, recorded] : before.at) {
    const bool downstream = std::find(later.begin(), later.end(), name) != later.end();
    EXPECT_EQ(recorded.values != after.at.at(name).values, downstream) << name;
  }
  EXPECT_NE(before.logits, after.logits);
}

TEST(Edits, ZeroingAHeadEqualsZeroWeights) {
  for (const std::string& config : {tiny_bert(), tiny_config()}) {
    const auto model = tiny_model(config);
    const Seen edited = run(*model, {{"blocks.0.attn.hook_z", {{"head", 2}}, Edit::Kind::set, {0.f}}});
    for (Parameter& p : model->weights().parameters()) {
      if (!p.name.ends_with("layer.0.attention.output.dense.weight")) continue;
      std::vector<float> values = values_of(p);
      for (size_t i = 0; i < values.size(); ++i)
        if (i % D / K == 2) values[i] = 0.f;  // columns that read head 2
      copy_in(p, values.data());
    }
    EXPECT_EQ(run(*model).logits, edited.logits);
  }
}

TEST(Edits, OfScoresRenormaliseThePattern) {
  const auto model = tiny_model(tiny_bert());
  constexpr float kHidden = -std::numeric_limits<float>::infinity();
  const Seen before = run(*model),
             after = run(*model, {{"blocks.0.attn.hook_attn_scores", {{"head", 1}, {"key", 0}}, Edit::Kind::set, {kHidden}}});
  const auto &was = before.at.at("blocks.0.attn.hook_pattern").values, &is = after.at.at("blocks.0.attn.hook_pattern").values;
  for (int64_t b = 0; b < B; ++b)
    for (int64_t h = 0; h < H; ++h)
      for (int64_t t = 0; t < T; ++t) {
        const size_t row = static_cast<size_t>(((b * H + h) * T + t) * T);
        for (size_t s = 0; s < T; ++s) {
          const float expected = h != 1 ? was[row + s] : s == 0 ? 0.f : was[row + s] / (1.f - was[row]);
          EXPECT_NEAR(is[row + s], expected, 1e-6);
        }
      }
}

TEST(Edits, HidingEveryKeyGivesZerosNotNans) {
  const auto model = tiny_model(tiny_bert());
  const Seen after = run(
      *model, {{"blocks.0.attn.hook_attn_scores", {{"query", 1}}, Edit::Kind::add, {-std::numeric_limits<float>::infinity()}}});
  for (const float value : after.logits) EXPECT_TRUE(std::isfinite(value));
  const Copy& z = after.at.at("blocks.0.attn.hook_z");
  for (int64_t i = 0; i < H * K; ++i) EXPECT_EQ(z.values[static_cast<size_t>(H * K + i)], 0.f);  // token 1 of text 0
}

TEST(Edits, OfThePatternAreReadAsTheyAre) {  // no renormalising below the softmax
  const auto model = tiny_model(tiny_bert());
  const Seen before = run(*model),
             after = run(*model, {{"blocks.0.attn.hook_pattern", {{"head", 0}}, Edit::Kind::scale, {2.f}}});
  const auto &was = before.at.at("blocks.0.attn.hook_z").values, &is = after.at.at("blocks.0.attn.hook_z").values;
  for (size_t i = 0; i < was.size(); ++i) EXPECT_NEAR(is[i], was[i] * (i / K % H == 0 ? 2.f : 1.f), 1e-6);
}

TEST(Edits, AreRefusedWhereTheyDoNotFit) {
  const auto model = tiny_model(tiny_bert());
  const auto refuses = [&](const Edit& edit, const std::vector<std::string>& parts) {
    expect_error(ErrorCode::bad_input, parts, [&] { run(*model, {edit}); });
  };
  refuses({"blocks.0.attn.hook_z", {{"query", 0}}, Edit::Kind::set, {0.f}}, {"blocks.0.attn.hook_z", "query", "\"head\""});
  refuses({"blocks.0.attn.hook_z", {{"head", 3}}, Edit::Kind::set, {0.f}}, {"head", "below 3", "got 3"});
  refuses({"blocks.0.attn.hook_z", {{"pos", -6}}, Edit::Kind::set, {0.f}}, {"pos", "-6"});
  refuses({"blocks.0.attn.hook_z", {{"head", 0}}, Edit::Kind::set, {0.f, 1.f}}, {"1 value", "40", "got 2"});
  refuses({"hook_embed", {}, Edit::Kind::set, {}}, {"hook_embed", "got 0"});
  // As many values as there are, but of a run with other axes.
  const Shape others{5, 2, 1, 4};
  refuses({"blocks.0.attn.hook_z", {{"head", 0}}, Edit::Kind::set, std::vector<float>(40), others},
          {"blocks.0.attn.hook_z", "values of shape [2, 5, 1, 4]", "got [5, 2, 1, 4]"});
}

// ---- gradients through edits --------------------------------------------------------------------------------------------

// Σ logits · weights under an edit, and its gradients.
double objective(const Model& model, const std::vector<Edit>& edits, Gradients* gradients = nullptr) {
  Arena arena;
  Trace trace({}, edits);
  Tape tape(gradients);
  const Context cx{.arena = arena, .tape = gradients ? &tape : nullptr, .hooks = &trace};
  const Tensor logits = model.forward(cx, batch()).logits;
  Random random(5);
  std::vector<float> upstream(logits.size());
  double total = 0;
  for (size_t i = 0; i < upstream.size(); ++i) {
    upstream[i] = random.normal();
    total += static_cast<double>(upstream[i]) * static_cast<double>(logits.data()[i]);
  }
  if (gradients) tape.backward(logits, upstream.data());
  return total;
}

TEST(Edits, GradientsFlowThroughThem) {
  const std::vector<std::vector<Edit>> lists = {
      {},
      {{"blocks.0.hook_resid_post", {{"pos", 1}}, Edit::Kind::scale, {0.5f}}},
      {{"blocks.0.attn.hook_attn_scores", {{"head", 1}, {"key", 0}}, Edit::Kind::add, {1.f}}},
      {{"blocks.0.attn.hook_pattern", {{"head", 0}}, Edit::Kind::scale, {-2.f}},
       {"blocks.1.attn.hook_z", {{"head", 2}}, Edit::Kind::set, {0.3f}}},
      {{"hook_embed", {{"batch", 0}}, Edit::Kind::set, {0.2f}}},
  };
  for (const auto& edits : lists) {
    const auto model = tiny_model(tiny_config(), 1, Layout::rows);
    Gradients gradients(model->weights().size());
    objective(*model, edits, &gradients);
    double largest = 0;
    for (const float g : gradients.values()) largest = std::max(largest, std::abs(static_cast<double>(g)));
    for (Parameter& p : model->weights().parameters())
      for (const size_t i : {size_t{0}, p.size() / 2, p.size() - 1}) {
        // Central difference: with values of size 1 in F32, a step of 2^-7 leaves an error of some 1e-4 from rounding and as
        // much from curvature; gradients are of size 1 to 100.
        const float kept = p.data[i], step = 0x1p-7f;
        p.data[i] = kept + step;
        const double up = objective(*model, edits);
        p.data[i] = kept - step;
        const double down = objective(*model, edits);
        p.data[i] = kept;
        const double slope = (up - down) / (2 * static_cast<double>(step));
        EXPECT_NEAR(gradients.values()[p.offset + i], slope, 2e-3 * std::max(1.0, largest)) << p.name << " " << i;
      }
  }
}

TEST(Edits, NothingFlowsPastAValueThatIsSet) {
  const auto model = tiny_model(tiny_config(), 1, Layout::rows);
  Gradients gradients(model->weights().size());
  objective(*model,
            {{"blocks.0.hook_resid_post",
              {},
              Edit::Kind::set,
              {
                  0.f,
              }}},
            &gradients);
  for (const Parameter& p : model->weights().parameters()) {
    const bool upstream = p.name.find("layer.0.") != std::string::npos || p.name.starts_with("embeddings.");
    const float* begin = gradients.of(p);
    const bool zero = std::all_of(begin, begin + p.size(), [](float g) { return g == 0.f; });
    if (upstream) {
      EXPECT_TRUE(zero) << p.name;
    }
    if (p.name == "classifier.bias") {
      EXPECT_FALSE(zero);
    }
  }
}

TEST(Trace, LeavesNoMemoryBehind) {
  const auto model = tiny_model(tiny_bert());
  Arena arena;
  for (int i = 0; i < 3; ++i) {
    {
      Trace trace({"*"}, {{"blocks.0.attn.hook_z", {}, Edit::Kind::scale, {2.f}}});
      model->forward(Context{.arena = arena, .hooks = &trace}, batch());
      EXPECT_GT(arena.bytes_in_use(), 0u);  // what was recorded lives as long as the trace
    }
    EXPECT_EQ(arena.bytes_in_use(), 0u);
  }
}

}  // namespace
}  // namespace glass
