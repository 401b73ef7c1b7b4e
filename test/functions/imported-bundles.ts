/** Deployed bundles, imported one after the other in a fresh process, each with variables of its own. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import * as z from 'zod/mini'
import { dist } from '../../build.ts'

/** `hasStack` adds the stack of an error. */
export type Bundle = { file: string; env: Record<string, unknown>; hasStack?: boolean }

const imported = z.union([
  /** `isShort`: without a callback. */
  z.object({ kind: z.string(), isShort: z.boolean() }),
  z.object({
    message: z.string(),
    stack: z.optional(z.string()),
    code: z.optional(z.string()),
    problems: z.optional(z.array(z.string())),
  }),
])
/** The type of a bundle's handler, or the error that its import throws. */
export type Imported = z.infer<typeof imported>

export const aHandler: Imported = { kind: 'function', isShort: true }

export const bundleOf = (name: string): string => join(dist, 'functions', name, 'handler.mjs')

const program = `
  const results = []
  for (const { address, env, hasStack } of JSON.parse(process.argv[1])) {
    for (const name of Object.keys(process.env)) delete process.env[name]
    Object.assign(process.env, env)
    results.push(
      await import(address).then(
        ({ handler }) => ({ kind: typeof handler, isShort: handler.length < 3 }),
        (error) => ({
          message: error.message,
          stack: hasStack ? error.stack : undefined,
          code: error.code,
          problems: error.problems,
        }),
      ),
    )
  }
  // Node's list of the parts of its own that it has loaded.
  const hasFetch = process.moduleLoadList.some((part) => part.endsWith('internal/deps/undici/undici'))
  console.log(JSON.stringify({ results, hasFetch }))`

const output = z.object({ results: z.array(imported), hasFetch: z.boolean() })

/** The results in the order of the bundles; a file may be imported several times. */
export const importEach = async (bundles: readonly Bundle[]): Promise<Imported[]> => (await run(bundles)).results

/** Whether the import of any of them makes Node load its client of `fetch`, which takes 40 ms of processor time. */
export const loadsFetch = async (bundles: readonly Bundle[]): Promise<boolean> => (await run(bundles)).hasFetch

async function run(bundles: readonly Bundle[]): Promise<z.infer<typeof output>> {
  const all = bundles.map(({ file, ...bundle }, at) => ({
    address: `${pathToFileURL(file).href}?${at}`,
    ...bundle,
  }))
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', program, JSON.stringify(all)],
    { env: {} },
  )
  return output.parse(JSON.parse(stdout))
}

/** The result of each function's bundle by its name, with the variables of `env`. */
export async function importAll<Name extends string>(
  names: readonly Name[],
  env: (name: Name) => Bundle['env'],
): Promise<Record<string, Imported>> {
  const results = await importEach(names.map((name) => ({ file: bundleOf(name), env: env(name) })))
  return Object.fromEntries(names.map((name, at) => [name, results[at] ?? { message: 'was not imported' }]))
}
