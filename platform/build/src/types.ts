/** Types of the recipe, for its JavaScript files too: they run in the bundler's process, which loads no TypeScript. */

import type { ReleaseManifest, ReleaseUses } from '@platform/releases';
import type { RemoteContract } from '@platform/releases/contract';
import type { Configuration, Stats } from '@rspack/core';

export interface Singleton {
  version: string;
  lazy?: boolean;
}

/** A module whose functions name the used pages or calls in their arguments. */
interface NamedModule {
  name: string;
  folder: string;
}

export interface LinkedPage {
  path: string;
  /** Undefined for a remote outside the product. */
  remote?: string;
}

export interface UsedModules {
  links?: NamedModule & { function: string; routes: Record<string, LinkedPage> };
  calls?: NamedModule & {
    methods: Record<string, string>;
    /** The calls of the server, such as 'GET /api/list'; without them every call is allowed. */
    names?: readonly string[];
  };
}

export interface ProductRecipe {
  singletons: Record<string, Singleton>;
  scopes: readonly string[];
  folder: string;
  uses?: UsedModules;
}

export interface ConfigOptions {
  version?: string;
  mode?: 'production' | 'development';
  server?: boolean;
  hot?: boolean;
}

export type WholeConfiguration = Configuration & {
  output: NonNullable<Configuration['output']> & { path: string };
  resolve: { extensions: string[]; alias: Record<string, string> };
  module: { rules: NonNullable<NonNullable<Configuration['module']>['rules']> };
  plugins: NonNullable<Configuration['plugins']>;
};

/** What the statistics of a build say about its release. */
export type Described = Pick<ReleaseManifest, 'exposes' | 'singletons'>;

export interface Recipe {
  hostConfig(directory: string, options?: ConfigOptions): WholeConfiguration;
  remoteConfig(directory: string, options?: ConfigOptions): WholeConfiguration;
  commonConfig(directory: string, options: { uniqueName: string } & ConfigOptions): WholeConfiguration;
  describeHost(stats: Stats): Described;
  describeRemote(stats: Stats, contract: RemoteContract): Described;
  usesOf(files: Iterable<string>, directory: string): ReleaseUses;
  singletons: Record<string, Singleton>;
}

export interface CompileRequest {
  name: string;
  directory: string;
  version: string;
  output: string;
}

/** The part of the manifest that only the compiler knows. */
export type Compiled = Described & Pick<ReleaseManifest, 'runtime' | 'entry' | 'initial' | 'remote' | 'uses'>;
