/** Marks a document that shows another person's page than that of the session in storage, or asks who has one to sign in (boot.css hides it). */
export function removeOtherPersons(): void {
  const { dataset } = document.documentElement;
  let token = '';
  try {
    token = localStorage.getItem('token') || '';
  } catch {
    // Without storage nobody is signed in.
  }
  const start = (token.split(' ')[1] || '').slice(0, 8);
  if (start === (dataset.person || '')) return;
  dataset.redraw = 'person';
  delete dataset.person;
}
