// Writes below each group what its reader has chosen. Events rise from the element that was used, so one listener on a group
// hears all of its pictures and none of the other group's.
for (const said of document.querySelectorAll('output')) {
  const group = document.getElementById(said.htmlFor.value);
  group?.addEventListener('glass-select', (event) => {
    const { query, queryToken, keyToken, weight } = /** @type {CustomEvent} */ (event).detail;
    if (query === null) said.value = 'Choose a token.';
    else if (keyToken === null || weight === null) said.value = `“${queryToken}” is chosen.`;
    else said.value = `“${queryToken}” gives “${keyToken}” a weight of ${weight.toFixed(2)}.`;
  });
}
