/**
 * The clock of all gates of a measurement: it follows the clicks, so that the result does not depend
 * on the speed of the machine.
 */
let now = Number.NaN

/** Epoch ms. */
export const virtualNow = () => now

export function setVirtualClock(epochMs: number): void {
  now = epochMs
}
