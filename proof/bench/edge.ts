/**
 * The gate's size, its cold start and the time of a refusal, and the time of a shop for a reservation. At the start of a
 * sale CloudFront starts many instances at once, and the first shopper of each waits for the import.
 */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { dist, edgeBundleLimitBytes, viewerFunctionLimitBytes } from '../../build.ts'
import { timeColdImport } from './bundles/cold-import.ts'
import { weighBundle } from './edge/bundle.ts'
import { timeRefusals } from './edge/refusal.ts'
import { timeReservation } from './edge/reservation.ts'
import { atMost, type MeasuredLine, type Measurement } from './harness.ts'
import { spelled } from './statistics.ts'

const limitImportMs = 60
const limitRefusalUs = 15
const limitReservationUs = 1000

export async function measureEdge(): Promise<Measurement> {
  const weight = await weighBundle()
  const { bundleMs, nothingMs, importMs } = await timeColdImport(join(dist, 'edge/handler.mjs'), {})
  const { soldOutUs, notStartedUs } = await timeRefusals()
  const reservationUs = await timeReservation()
  const { size } = await stat(join(dist, 'edge/pre-gate.js'))
  return {
    name: 'edge',
    lines: [
      bytesAtMost('edge bundle, minified bytes', weight.bytes, edgeBundleLimitBytes),
      atMost('cold import of the bundle, ms', importMs, limitImportMs, { digits: 1 }),
      atMost('one sold-out in this process, µs', soldOutUs, limitRefusalUs, { digits: 1 }),
      atMost('one not-started in this process, µs', notStartedUs, limitRefusalUs, { digits: 1 }),
      atMost('one reservation verified by the shop, µs', reservationUs, limitReservationUs, { digits: 0 }),
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
  return atMost(what, bytes, limit, { value: spelled(bytes), target: spelled(limit) })
}
