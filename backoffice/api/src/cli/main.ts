import { allowClosedPipe } from '@platform/releases';
import { runCli } from './run-cli';

allowClosedPipe();
runCli(process.argv.slice(2), process.env, console).then((code) => {
  process.exitCode = code;
});
