// The public ops of attention in all its forms, for the table in functional_ops.cpp.
#pragma once

#include "model/functional.h"

namespace glass::calls {

Outputs attention_op(Call& call);
Outputs multi_head_attention_op(Call& call);
Outputs split_heads_op(Call& call);
Outputs join_heads_op(Call& call);
Outputs lsh_buckets_op(Call& call);
Outputs lsh_attention_op(Call& call);
Outputs linformer_attention_op(Call& call);

}  // namespace glass::calls
