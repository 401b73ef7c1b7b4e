/**
 * Processor time per losing request, by part. Pre-gate and gate share a process with the emulation
 * of CloudFront and often with the load, so their time comes from performance counters around them;
 * functions and Redis are processes of their own.
 */
import type { EdgeTimes, FunctionTime } from '../../local/cdn/edge-times.ts'
import type { ProcessorTime } from './processor-time.ts'

/** Two readings of the system; `processors` is empty where its processes are not ours. */
export type Reading = { edge: EdgeTimes; processors: ProcessorTime }

/** Microseconds per losing request. Functions and Redis include the work for the winners. */
export type LosingTime = { parts: readonly (readonly [part: string, us: number])[]; totalUs: number }

/** Deployed code and Redis; what stands for the cloud's other services costs nothing there. */
const processes = ['functions', 'workers', 'Redis']

export function losingTime(before: Reading, after: Reading, losingRequests: number): LosingTime {
  const perRequest = (us: number) => us / Math.max(1, losingRequests)
  const ofEdge = (part: keyof EdgeTimes) => perRequest(timeBetween(before.edge[part], after.edge[part]))
  const spent = ({ processors }: Reading, part: string) => processors.get(part) ?? 0
  const parts = [
    ['pre-gate', ofEdge('preGate')] as const,
    ['gate', ofEdge('gate')] as const,
    ...processes
      .filter((part) => after.processors.has(part))
      .map((part) => [part, perRequest((spent(after, part) - spent(before, part)) * 1000)] as const),
  ]
  return { parts, totalUs: parts.reduce((sum, [, us]) => sum + us, 0) }
}

/** Microseconds of all calls; those without a time count as the average of the others. */
function timeBetween(before: FunctionTime, after: FunctionTime): number {
  const timed = after.timed - before.timed
  return timed === 0 ? 0 : ((after.us - before.us) / timed) * (after.calls - before.calls)
}

/** `12.3 µs: gate 10.0, Redis 2.3`. */
export function losingTimeText({ parts, totalUs }: LosingTime): string {
  return `${totalUs.toFixed(1)} µs: ${parts.map(([part, us]) => `${part} ${us.toFixed(1)}`).join(', ')}`
}
