import { runCli } from './run-cli';

runCli(process.argv.slice(2), process.env, console).then((code) => {
  process.exitCode = code;
});
