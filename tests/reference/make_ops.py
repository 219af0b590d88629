"""Writes golden/ops.safetensors and golden/ops.json: one entry for every op case, as README.md describes."""

import ops_attention
import ops_basic
import ops_training
from golden_book import Book, one_thread

if __name__ == "__main__":
    one_thread()
    book = Book()
    ops_basic.record(book)
    ops_attention.record(book)
    ops_training.record(book)
    book.save("ops")
