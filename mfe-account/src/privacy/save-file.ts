/** An object, so that tests can look on. */
export const saveFile = {
  /** The browser saves the file as it arrives; it never is in this page's memory. */
  from(url: string): void {
    const link = document.createElement('a');
    link.href = url;
    link.download = '';
    link.click();
  },
};
