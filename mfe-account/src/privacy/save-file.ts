/** An object, so that tests can spy on it. */
export const saveFile = {
  /** The browser streams the file to the disk, so it is never in this page's memory. */
  from(url: string): void {
    const link = document.createElement('a');
    link.href = url;
    link.download = '';
    link.click();
  },
};
