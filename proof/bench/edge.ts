/**
 * The gate's size, its cold start and the time of a refusal. At the start of a sale CloudFront
 * starts many instances at once, and the first shopper of each waits for the import.
 */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { dist, edgeBundleLimitBytes, viewerFunctionLimitBytes } from '../../build.ts'
import { timeColdImport } from './bundles/cold-import.ts'
import { weighBundle } from './edge/bundle.ts'
import { timeRefusals } from './edge/refusal.ts'
import type { MeasuredLine, Measurement } from './measurement.ts'
import { spelled } from './statistics.ts'

const limitImportMs = 60
const limitRefusalUs = 15

export async function measureEdge(): Promise<Measurement> {
  const weight = await weighBundle()
  const { bundleMs, nothingMs, importMs } = await timeColdImport(join(dist, 'edge/handler.mjs'), {})
  const { soldOutUs, notStartedUs } = await timeRefusals()
  const { size } = await stat(join(dist, 'edge/pre-gate.js'))
  return {
    name: 'edge',
    lines: [
      bytesAtMost('edge bundle, minified bytes', weight.bytes, edgeBundleLimitBytes),
      {
        what: 'cold import of the bundle, ms',
        value: importMs.toFixed(1),
        target: `≤ ${limitImportMs}`,
        met: importMs <= limitImportMs,
      },
      refusalAtMost('sold-out', soldOutUs),
      refusalAtMost('not-started', notStartedUs),
      bytesAtMost('pre-gate.js, bytes', size, viewerFunctionLimitBytes),
      { what: 'edge bundle, bytes with gzip', value: spelled(weight.gzipBytes) },
      {
        what: 'minified bytes by part',
        value: weight.parts.map(([name, bytes]) => `${name} ${spelled(bytes)}`).join(', '),
      },
      { what: 'a process that imports the bundle, ms', value: bundleMs.toFixed(1) },
      { what: 'a process that imports nothing, ms', value: nothingMs.toFixed(1) },
    ],
  }
}

function bytesAtMost(what: string, bytes: number, limit: number): MeasuredLine {
  return { what, value: spelled(bytes), target: `≤ ${spelled(limit)}`, met: bytes <= limit }
}

function refusalAtMost(code: string, us: number): MeasuredLine {
  return {
    what: `one ${code} in this process, µs`,
    value: us.toFixed(1),
    target: `≤ ${limitRefusalUs}`,
    met: us <= limitRefusalUs,
  }
}
