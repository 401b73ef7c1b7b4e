/**
 * The size of each deployed bundle and the time a new instance needs to load it. Under a sudden
 * load the cloud starts many instances at once, and the first shopper of each waits for that.
 */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { bundleLimitsBytes, dist, functionEntries, stripePart } from '../../build.ts'
import { elementsFile, elementsLimitBytes } from '../../static/build.ts'
import { timeColdImport } from './bundles/cold-import.ts'
import { environmentAt } from './bundles/environment.ts'
import { weightOf } from './edge/bundle.ts'
import { inTurns, type MeasuredLine, type Measurement } from './harness.ts'
import { spelled } from './statistics.ts'

const limitImportMs = 150
const clientLimitBytes = 5000

/** Nothing listens at port 9 (RFC 863, discard). */
const functionsEnvironment = environmentAt('http://127.0.0.1:9')

/** `file` is loaded first, and `more` where the environment asks for it. */
type Bundle = { name: string; file: string; more?: string; environment: Record<string, string> }

/** `dist/` must have been built. */
export async function measureBundles(): Promise<Measurement> {
  const bundles: Bundle[] = [
    // Lambda@Edge gives its function no environment.
    { name: 'edge', file: 'edge/handler.mjs', environment: {} },
    ...Object.keys(await functionEntries()).flatMap(bundlesOf),
  ]
  const lines = await inTurns(bundles, { rounds: 1, warmUps: 0, step: 'bundles' }, measureBundle)
  return {
    name: 'bundles',
    heads: [
      ...['minified bytes', 'gzip bytes', 'bare Node, ms', 'with the bundle, ms', 'cold import, ms'],
      'of processor time',
    ],
    lines: [...[...lines.values()].flat(), await weighElements(), await weighClient()],
  }
}

/** A function that calls the payment provider is measured for each provider. */
function bundlesOf(name: string): Bundle[] {
  const bundle = { name, file: `functions/${name}/handler.mjs`, environment: functionsEnvironment }
  const more = `functions/${name}/${stripePart}.mjs`
  if (!existsSync(join(dist, more))) return [bundle]
  const environment = { ...functionsEnvironment, PAYMENT_PROVIDER: 'stripe' }
  return [bundle, { ...bundle, name: `${name}, Stripe`, more, environment }]
}

/** What pages of other sites load, which no function imports. */
const weighElements = async () =>
  weighScript(elementsFile, await readFile(join(dist, 'site', elementsFile)), elementsLimitBytes)

/** The client as a program bundles it. */
async function weighClient(): Promise<MeasuredLine> {
  const { outputFiles } = await build({
    ...{ entryPoints: [join(dist, '../client/client.ts')], bundle: true, minify: true },
    ...{ format: 'esm', write: false },
  })
  return weighScript('client', outputFiles[0]?.contents ?? new Uint8Array(), clientLimitBytes)
}

function weighScript(what: string, script: Uint8Array, limitBytes: number): MeasuredLine {
  const { bytes, gzipBytes } = weightOf(script)
  return {
    what,
    value: [spelled(bytes), spelled(gzipBytes), '–', '–', '–', '–'],
    target: `≤ ${spelled(limitBytes)} bytes compressed`,
    met: gzipBytes <= limitBytes,
  }
}

async function measureBundle({ name, file, more, environment }: Bundle): Promise<MeasuredLine> {
  const files = more === undefined ? [file] : [file, more]
  const { bytes, gzipBytes } = weightOf(
    Buffer.concat(await Promise.all(files.map((part) => readFile(join(dist, part))))),
  )
  const { nothingMs, bundleMs, importMs, processorMs } = await timeColdImport(join(dist, file), environment)
  const limitBytes = bundleLimitsBytes[file]
  const limits = [...(limitBytes === undefined ? [] : [`≤ ${spelled(limitBytes)} bytes`]), `≤ ${limitImportMs} ms`]
  return {
    what: name,
    value: [
      spelled(bytes),
      spelled(gzipBytes),
      ...[nothingMs, bundleMs, importMs, processorMs].map((milliseconds) => milliseconds.toFixed(1)),
    ],
    target: limits.join(', '),
    met: bytes <= (limitBytes ?? Number.POSITIVE_INFINITY) && importMs <= limitImportMs,
  }
}
