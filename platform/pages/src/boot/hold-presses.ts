/**
 * A form that React checks (`novalidate`) is sent by React. Pressed before the scripts are there it waits for them (shell/src/app/hydrate.tsx):
 * the browser would load the page again, with what was typed, a password too, in its address.
 */
export function holdForms(): void {
  if (!document.documentElement.dataset.rendered) return;
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    // React's handler comes first.
    if (event.defaultPrevented || !form.noValidate) return;
    event.preventDefault();
    form.dataset.held = '';
  });
}
