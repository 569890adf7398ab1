/** A server build has no styles; the document links those of the browser's build. */
module.exports = () => '';
