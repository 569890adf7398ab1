import { parseArgs } from 'node:util';

/** The options of a command. With --help it prints how to use it and ends with 0, with anything that it does not know it ends with 2. */
export function readOptions(usage, { options = {}, args = process.argv.slice(2), ...config } = {}) {
  const all = { ...options, help: { type: 'boolean', short: 'h' } };
  let read;
  try {
    read = parseArgs({ ...config, args, options: all });
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
