/**
 * What the gates of a measurement share. Each gate is a copy of its module with a memory of its own, so this is no part of
 * that module.
 */

/**
 * The clock of all gates: it follows the clicks, so that the result does not depend on the speed of the machine.
 */
let now = Number.NaN

/** Epoch ms. */
export const virtualNow = () => now

export function setVirtualClock(epochMs: number): void {
  now = epochMs
}

const reports = new Map<string, number>()

/** Counts what a gate would write to its log, by its text: on a busy machine that would be thousands of lines. */
export function countReport(message: string, details: Record<string, unknown>): void {
  const text = [message, ...Object.values(details).map(String)].join(': ')
  reports.set(text, (reports.get(text) ?? 0) + 1)
}

/** The counts since the last call. */
export function takeReports(): Map<string, number> {
  const taken = new Map(reports)
  reports.clear()
  return taken
}
