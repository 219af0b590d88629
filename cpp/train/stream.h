// What the native program reads from its standard input: a line of JSON options, then examples as little-endian int32
// records [n_ids, n_types, n_decoder_ids, n_labels, n_links, ids…, types…, decoder_ids…, labels…, links…].
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "train/examples.h"

namespace glass {

std::string read_line(std::FILE* in);
// Up to `most` examples; fewer only at the end of the stream. Throws Error(bad_input) for a record that makes no sense.
std::vector<Example> read_examples(std::FILE* in, size_t most);

// Whole files. Throw Error(not_found) naming the path.
std::vector<uint8_t> read_file(const std::string& path);
// Writes beside the file and then renames, so that a stop never leaves half a file.
void write_file(const std::string& path, const std::vector<uint8_t>& bytes);

}  // namespace glass
