/** The trace of a simulated sale: one line per step to diagnose failures, and counts of the injected faults. */
import type { FaultKind } from './faults.ts'

/** Counts of operations, and of each fault per operation. */
export type FaultCounts = { steps: Map<string, number>; faults: Map<string, Map<FaultKind, number>> }

export type Trace = ReturnType<typeof openTrace>

export function openTrace(now: () => number) {
  const start = now()
  const steps = new Map<string, number>()
  const faults = new Map<string, Map<FaultKind, number>>()
  const lines: string[] = []
  return {
    steps,
    faults,
    lines,
    write(who: string, what: string): void {
      const seconds = ((now() - start) / 1000).toFixed(3)
      lines.push(`${seconds.padStart(9)}  ${who.padEnd(14)} ${what}`)
    },
    countOperation: (operation: string): void => raise(steps, operation, 1),
    countFault(operation: string, fault: FaultKind): void {
      const counts = faults.get(operation) ?? new Map<FaultKind, number>()
      faults.set(operation, counts)
      raise(counts, fault, 1)
    },
  }
}

/** Adds the counts of `from` to `to`. */
export function addFaultCounts(to: FaultCounts, from: FaultCounts): void {
  for (const [operation, count] of from.steps) raise(to.steps, operation, count)
  for (const [operation, counts] of from.faults) {
    const sum = to.faults.get(operation) ?? new Map<FaultKind, number>()
    to.faults.set(operation, sum)
    for (const [fault, count] of counts) raise(sum, fault, count)
  }
}

export function noFaultCounts(): FaultCounts {
  return { steps: new Map(), faults: new Map() }
}

function raise<Name>(counts: Map<Name, number>, name: Name, by: number): void {
  counts.set(name, (counts.get(name) ?? 0) + by)
}
