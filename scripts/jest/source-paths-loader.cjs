'use strict';
const path = require('node:path');

/** Keeps `__dirname` and `__filename` of a module as beside its source: at the same path from the folder that the program names. */
module.exports = function (code) {
  const root = path.resolve(__dirname, '../..');
  const place = (file) => `require('node:path').join(__programFolder, ${JSON.stringify(path.relative(root, file))})`;
  const paths = `const __dirname = ${place(this.context)}, __filename = ${place(this.resourcePath)};\n`;
  return /\b__(dirname|filename)\b/.test(code) ? paths + code : code;
};
