/** `npm run bench:chart`: draws docs/images/load.svg and the README's figures from the last run of bench:load. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readOptions } from '../../scripts/setup/options.mjs';
import { loadChart, loadSummary } from './report/chart';
import { root, writeBetween } from './report/report';

readOptions(
  "npm run bench:chart\n\nDraws docs/images/load.svg and the README's figures from the last run of bench:load.",
);
const { rows } = JSON.parse(readFileSync(path.join(root, 'bench', 'results', 'load.json'), 'utf8'));
writeFileSync(path.join(root, 'docs', 'images', 'load.svg'), loadChart(rows));
writeBetween('README.md', 'bench:load', loadSummary(rows));
console.log('docs/images/load.svg, README.md');
