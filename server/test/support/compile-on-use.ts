import fastJsonStringify from 'fast-json-stringify';
import type { FastifySchema, RouteOptions } from 'fastify';
import type { FastifyRouteSchemaDef, FastifyValidationResult } from 'fastify/types/schema';
import { compileValidator } from '../../src/platform/http/server';

/**
 * Compiles a route's schemas at its first call. Compiling those of all routes takes most of the time in which an application
 * starts, and a test file uses few of them.
 */
export function compileOnUse(route: RouteOptions): void {
  route.validatorCompiler = validatorOnUse as RouteOptions['validatorCompiler'];
  route.serializerCompiler ??= ({ schema }) => {
    let serialise: ((value: unknown) => string) | undefined;
    return (value: unknown) => {
      serialise ??= fastJsonStringify(schema as object);
      return serialise(value);
    };
  };
}

function validatorOnUse(definition: FastifyRouteSchemaDef<FastifySchema>): FastifyValidationResult {
  let compiled: FastifyValidationResult | undefined;
  const validate: FastifyValidationResult = (value) => {
    compiled ??= compileValidator(definition);
    const isValid = compiled(value);
    validate.errors = compiled.errors;
    return isValid;
  };
  return validate;
}
