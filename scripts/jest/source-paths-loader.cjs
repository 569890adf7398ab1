'use strict';
/** Keeps `__dirname` and `__filename` of a module what they are beside its source. */
module.exports = function (code) {
  const paths = `const __dirname = ${JSON.stringify(this.context)}, __filename = ${JSON.stringify(this.resourcePath)};\n`;
  return /\b__(dirname|filename)\b/.test(code) ? paths + code : code;
};
