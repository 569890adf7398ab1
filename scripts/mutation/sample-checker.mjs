import { createHash } from 'node:crypto';
import path from 'node:path';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';

/** Lets MUTATION_SAMPLE of 100 mutants through: always the same ones while their code is the same. Stryker counts the others as compile errors. */
class SampleChecker {
  async init() {}
  async check(mutants) {
    const status = (mutant) => (isInSample(mutant) ? 'passed' : 'compileError');
    return Object.fromEntries(
      mutants.map((mutant) => [mutant.id, { status: status(mutant), reason: 'not in the sample' }]),
    );
  }
}

function isInSample({ fileName, location, replacement }) {
  const key = JSON.stringify([path.relative(process.cwd(), fileName), location, replacement]);
  return createHash('sha256').update(key).digest().readUInt32BE() % 100 < Number(process.env.MUTATION_SAMPLE);
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Checker, 'sample', SampleChecker)];
