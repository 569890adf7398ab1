'use strict';
const path = require('node:path');

/** Keeps `__dirname` and `__filename` of a module as beside its source, or at the same path relative to the program's folder. */
module.exports = function (code) {
  const { movableFrom } = this.getOptions();
  const place = (file) =>
    movableFrom
      ? `require('node:path').join(__programFolder, ${JSON.stringify(path.relative(movableFrom, file))})`
      : JSON.stringify(file);
  const paths = `const __dirname = ${place(this.context)}, __filename = ${place(this.resourcePath)};\n`;
  return /\b__(dirname|filename)\b/.test(code) ? paths + code : code;
};
