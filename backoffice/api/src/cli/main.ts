import { allowClosedPipe } from '@platform/releases';
import { runCli } from '@shop/server/cli/run-cli';

allowClosedPipe();
runCli(process.argv.slice(2), process.env, console).then((code) => {
  process.exitCode = code;
});
