// Prints the definitions that `topics` is trained and scored on, one JSON object a line, for baselines in other languages:
// { text, label, heldOut }.

import { LABELS, readWordNet } from './wordnet.mjs';

for (const { definition, topic, heldOut } of readWordNet()) {
  if (topic !== null)
    process.stdout.write(`${JSON.stringify({ text: definition, label: LABELS.indexOf(topic), heldOut })}\n`);
}
