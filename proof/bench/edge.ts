/**
 * The size and the cold import of each deployed bundle. At the start of a sale the cloud starts many instances at once, and
 * the first shopper of each waits for the import. `bench -- million` has the time of a refusal.
 */

import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import {
  bundleLimitsBytes,
  dist,
  edgeBundleLimitBytes,
  functionEntries,
  stripePart,
  viewerFunctionLimitBytes,
} from '../../build.ts'
import { elementsFile, elementsLimitBytes } from '../../static/build.ts'
import { timeColdImport, weightOf } from './edge/bundle.ts'
import { environmentAt } from './edge/environment.ts'
import { atMost, inTurns, type MeasuredLine, type Measurement } from './harness.ts'
import { spelled } from './statistics.ts'

/** Lambda@Edge starts far from its shoppers as well, and more often. */
const [limitEdgeImportMs, limitImportMs] = [60, 150]
const clientLimitBytes = 5000

/** `file` is loaded first, and `more` where the environment asks for it. */
type Bundle = {
  name: string
  file: string
  more?: string
  environment: Record<string, string>
  limitBytes?: number | undefined
  limitMs: number
}

/** `dist/` must have been built. */
export async function measureEdge(): Promise<Measurement> {
  // Lambda@Edge gives its function no environment.
  const file = 'edge/handler.mjs'
  const gate = { name: 'edge', file, environment: {}, limitBytes: edgeBundleLimitBytes, limitMs: limitEdgeImportMs }
  const bundles: Bundle[] = [gate, ...Object.keys(await functionEntries()).flatMap(bundlesOf)]
  const weighed = await inTurns(bundles, { rounds: 1, warmUps: 0, step: 'bundles' }, measureBundle)
  const { size } = await stat(join(dist, 'edge/pre-gate.js'))
  return {
    name: 'edge',
    lines: [
      bytesAtMost('pre-gate.js, bytes', size, viewerFunctionLimitBytes),
      ...[...weighed.values()].flat(2),
      weighScript('elements', await readFile(join(dist, 'site', elementsFile)), elementsLimitBytes),
      await weighClient(),
    ],
  }
}

/** A function that calls the payment provider is measured for each provider. Nothing listens at port 9 (RFC 863, discard). */
function bundlesOf(name: string): Bundle[] {
  const file = `functions/${name}/handler.mjs`
  const environment = environmentAt('http://127.0.0.1:9')
  const bundle = { name, file, environment, limitBytes: bundleLimitsBytes[file], limitMs: limitImportMs }
  const more = `functions/${name}/${stripePart}.mjs`
  if (!existsSync(join(dist, more))) return [bundle]
  return [
    bundle,
    { ...bundle, name: `${name}, Stripe`, more, environment: { ...environment, PAYMENT_PROVIDER: 'stripe' } },
  ]
}

async function measureBundle({ name, file, more, environment, limitBytes, limitMs }: Bundle): Promise<MeasuredLine[]> {
  const files = more === undefined ? [file] : [file, more]
  const { bytes } = weightOf(Buffer.concat(await Promise.all(files.map((part) => readFile(join(dist, part))))))
  const { importMs, processorMs } = await timeColdImport(join(dist, file), environment)
  const value = `${importMs.toFixed(1)} (${processorMs.toFixed(1)} of a processor)`
  return [
    bytesAtMost(`${name}, minified bytes`, bytes, limitBytes),
    atMost(`${name}, cold import, ms`, importMs, limitMs, { value }),
  ]
}

/** The client as a program bundles it. */
async function weighClient(): Promise<MeasuredLine> {
  const { outputFiles } = await build({
    ...{ entryPoints: [join(dist, '../client/client.ts')], bundle: true, minify: true },
    ...{ format: 'esm', write: false },
  })
  return weighScript('client', outputFiles[0]?.contents ?? new Uint8Array(), clientLimitBytes)
}

function weighScript(what: string, script: Uint8Array, limitBytes: number): MeasuredLine {
  return bytesAtMost(`${what}, bytes with gzip`, weightOf(script).gzipBytes, limitBytes)
}

function bytesAtMost(what: string, bytes: number, limit: number | undefined): MeasuredLine {
  const value = spelled(bytes)
  return limit === undefined ? { what, value } : atMost(what, bytes, limit, { value, target: spelled(limit) })
}
