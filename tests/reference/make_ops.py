"""Writes golden/ops.* and golden/core_ops.*: one entry for every op case, as README.md describes."""

import ops_attention
import ops_basic
import ops_decoder
import ops_forms
import ops_training
from golden_book import Book, one_thread

if __name__ == "__main__":
    one_thread()
    book = Book()
    ops_basic.record(book)
    ops_attention.record(book)
    ops_training.record(book)
    ops_decoder.record_public(book)
    ops_forms.record(book)
    book.save("ops")
    core = Book()
    ops_decoder.record_core(core)
    core.save("core_ops")
