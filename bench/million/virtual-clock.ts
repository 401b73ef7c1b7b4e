/**
 * The clock of all gates of a measurement: it moves by a fixed time with each request, so that the
 * result does not depend on the speed of the machine.
 */
let now = Number.NaN

/** Epoch ms. */
export const virtualNow = () => now

/** From here on the clock moves with the requests alone. */
export function startVirtualClock(): void {
  now = Date.now()
}

export function moveVirtualClock(ms: number): void {
  now += ms
}
