/**
 * Keeps the shell from reloading the document, until the returned function is called. It is an attribute of the document, because
 * each remote bundles its own copy of this module (`DocumentFlags` of @platform/releases/contract).
 */
export function holdDocument(): () => void {
  const { dataset } = document.documentElement;
  const change = (by: number) => {
    const holds = Number(dataset.holds ?? 0) + by;
    if (holds > 0) dataset.holds = String(holds);
    else delete dataset.holds;
  };
  let isHeld = true;
  change(1);
  return () => {
    if (isHeld) change(-1);
    isHeld = false;
  };
}
