import { parseArgs } from 'node:util';

/** Parses the options of a command. --help prints the usage and exits with 0; an unknown option exits with 2. */
export function readOptions(usage, { options = {}, ...config } = {}) {
  const all = { ...options, help: { type: 'boolean', short: 'h' } };
  let read;
  try {
    read = parseArgs({ ...config, options: all });
  } catch (error) {
    console.error(`${error.message.split('. ')[0]}.\n\n${usage}`);
    process.exit(2);
  }
  if (read.values.help) {
    console.log(usage);
    process.exit(0);
  }
  return read;
}
