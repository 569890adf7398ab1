/** An email address in a form. It needs one pass, so a long text cannot delay the server. */
export const emailPattern = /^[^\s@<>]+@[^\s@<>.]+(\.[^\s@<>.]+)+$/;
