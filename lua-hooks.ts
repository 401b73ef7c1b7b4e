/**
 * Lets plain Node import a `.lua` file as text (`node --import ./lua-hooks.ts …`), the way esbuild
 * does in the deployed bundles, so that scripts run from one source everywhere.
 */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

registerHooks({
  load(url, context, nextLoad) {
    if (!url.endsWith('.lua')) return nextLoad(url, context)
    const source = `export default ${JSON.stringify(readFileSync(fileURLToPath(url), 'utf8'))}`
    return { format: 'module', source, shortCircuit: true }
  },
})
