/**
 * Imports the deployed bundles. They read the environment once at import, so it must be set before.
 */
import { pathToFileURL } from 'node:url'
import type { Handler, LoadedFunction } from './invoke.ts'

/**
 * The function in `dist/functions/<name>/handler.mjs`.
 * @throws when the bundle has no handler, or one with a callback, which Lambda's Node 24 rejects
 */
export async function loadFunction(dist: string, name: string, timeoutMs: number): Promise<LoadedFunction> {
  const file = `${dist}/functions/${name}/handler.mjs`
  const module: { handler?: unknown } = await import(pathToFileURL(file).href)
  if (!isHandler(module.handler)) throw new Error(`${file} does not export a function named handler`)
  if (module.handler.length > 2) throw new Error(`${file}: Node 24 on Lambda refuses handlers with a callback`)
  return { name, handler: module.handler, timeoutMs, invocations: 0 }
}

function isHandler(value: unknown): value is Handler {
  return typeof value === 'function'
}
