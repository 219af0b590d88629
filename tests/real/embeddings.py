"""What transformers makes of the sentences in sentences.json with a BERT-like sentence encoder, as JSON on standard output.

    python embeddings.py FOLDER

For each sentence its ids and its embedding: the last hidden states' mean over the tokens, divided by its length, in float64
(all-MiniLM-L6-v2's modules.json: a transformer, mean pooling, normalisation).
"""

import json
import sys
from pathlib import Path

import torch
import transformers

folder = sys.argv[1]
sentences = json.loads(Path(__file__).with_name("sentences.json").read_text())
tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
model = transformers.AutoModel.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager").eval().double()
rows = []
for sentence in sentences:
    batch = tokenizer(sentence, return_tensors="pt", truncation=True, max_length=256)
    with torch.no_grad():
        hidden = model(**batch).last_hidden_state[0]
    rows.append({"ids": batch["input_ids"][0].tolist(), "embedding": torch.nn.functional.normalize(hidden.mean(0), dim=0).tolist()})
print(json.dumps({"transformers": transformers.__version__, "torch": torch.__version__, "rows": rows}))
