// The words of a page that works without a network. By themselves: the course and the page for authors, which are in English, have
// no other words of the lab.

export const OFFLINE = Object.freeze({
  newVersion: 'A new version of this page is here:',
  reload: 'reload',
});
