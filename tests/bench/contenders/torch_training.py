"""The training step in PyTorch, one thread: reads job.json and weights.bin from a folder, then makes a step for each line of
standard input and answers it with its time and processor time in milliseconds and the loss."""

import json
import sys
import time
from pathlib import Path

import torch
import torch.nn.functional as F

torch.set_num_threads(1)
folder = Path(sys.argv[1])
job = json.loads((folder / "job.json").read_text())
config, batch, length = job["config"], job["batch"], job["length"]
heads, width = config["num_attention_heads"], config["hidden_size"]

values = torch.frombuffer(bytearray((folder / "weights.bin").read_bytes()), dtype=torch.float32)
weights, at = {}, 0
for name, shape in job["shapes"]:
    size = torch.Size(shape).numel()
    weights[name] = values[at : at + size].reshape(shape).clone().requires_grad_()
    at += size
ids = torch.tensor(job["ids"]).reshape(batch, length)
labels = torch.tensor(job["labels"])


def linear(x, name):
    return F.linear(x, weights[f"{name}.weight"], weights[f"{name}.bias"])


def norm(x, name):
    return F.layer_norm(x, (width,), weights[f"{name}.weight"], weights[f"{name}.bias"], config["layer_norm_eps"])


def split(x):
    return x.reshape(batch, length, heads, width // heads).transpose(1, 2)


def forward():
    at = "bert.embeddings"
    x = F.embedding(ids, weights[f"{at}.word_embeddings.weight"])
    x = x + weights[f"{at}.position_embeddings.weight"][:length] + weights[f"{at}.token_type_embeddings.weight"][0]
    x = norm(x, f"{at}.LayerNorm")
    for l in range(config["num_hidden_layers"]):
        layer = f"bert.encoder.layer.{l}"
        q, k, v = (split(linear(x, f"{layer}.attention.self.{part}")) for part in ("query", "key", "value"))
        z = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(batch, length, width)
        x = norm(x + linear(z, f"{layer}.attention.output.dense"), f"{layer}.attention.output.LayerNorm")
        fed = linear(F.gelu(linear(x, f"{layer}.intermediate.dense")), f"{layer}.output.dense")
        x = norm(x + fed, f"{layer}.output.LayerNorm")
    return F.cross_entropy(linear(x, "classifier").reshape(batch * length, -1), labels)


optimizer = torch.optim.Adam(weights.values(), lr=job["lr"], betas=(0.9, 0.999), eps=1e-8, fused=True)
print("ready", flush=True)
for _ in sys.stdin:
    start, processor = time.perf_counter(), time.process_time()
    optimizer.zero_grad()
    loss = forward()
    loss.backward()
    optimizer.step()
    value = loss.item()
    ms, processor = 1000 * (time.perf_counter() - start), 1000 * (time.process_time() - processor)
    print(json.dumps({"ms": ms, "processor": processor, "loss": value}), flush=True)
