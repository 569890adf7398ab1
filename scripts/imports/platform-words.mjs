#!/usr/bin/env node
/** Finds words of the shop in the platform, which releases any product. Exit code 1 when there is one. Tests may name examples. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const WORDS = /(?<![a-z])(shop(s|per|pers|ping)?|games?|goods|coupons?|wallets?|recharges?|top-ups?)(?![a-z])/i;
/** 'shopName' as 'shop Name': a name may hold a word. */
const apart = (line) => line.replace(/([a-z\d])(?=[A-Z])/g, '$1 ');
const isProgram = (file) =>
  /\.([cm]?[jt]sx?|css|html)$/.test(file) && !/\.test\.tsx?$|\/testing\/|jest\.(config|setup)/.test(file);

/** "file:line: the line" of each. `files`: text by path. */
export const wordsOfTheShop = (files) =>
  Object.entries(files).flatMap(([file, text]) =>
    isProgram(file)
      ? text
          .split('\n')
          .flatMap((line, index) => (WORDS.test(apart(line)) ? [`${file}:${index + 1}: ${line.trim()}`] : []))
      : [],
  );

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'platform'], {
    encoding: 'utf8',
  });
  const names = listed.split('\n').filter((name) => isProgram(name) && existsSync(name));
  const found = wordsOfTheShop(Object.fromEntries(names.map((name) => [name, readFileSync(name, 'utf8')])));
  for (const line of found) console.error(line);
  if (found.length > 0) console.error('the platform knows nothing of the shop: say it in words of any product');
  process.exitCode = found.length > 0 ? 1 : 0;
}
