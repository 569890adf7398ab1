#!/usr/bin/env node
import { runProgram } from './run-program.mjs';

runProgram('release.ts');
