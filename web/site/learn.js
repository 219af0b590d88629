// The course: every exhibit in its order, one below the other. Each starts when it comes near.

import { html, render } from 'lit';
import { EXHIBITS } from '../elements/exhibits/index.js';
import '../elements/glass-exhibit.js';
import { workOffline } from './offline.js';
import { OFFLINE } from './strings/en/offline.js';

const part = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));

render(
  html`<ol>
    ${EXHIBITS.map(({ name, title }) => html`<li><a href="#${name}">${title}</a></li>`)}
  </ol>`,
  part('contents'),
);
render(
  EXHIBITS.map(
    ({ name }) =>
      html`<section id=${name}>
        <glass-exhibit name=${name} lab="./index.html" source="./source/"></glass-exhibit>
      </section>`,
  ),
  part('course'),
);
// What the address names was not there when the page opened.
if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
void workOffline(part('status'), OFFLINE);
