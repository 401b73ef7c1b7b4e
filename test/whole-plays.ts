/** `npm test` plays a random sample of the long plays, the soak all of them. */

let isComplete = false

/** For a file of the soak, before it imports the tests. */
export function playWhole(): void {
  isComplete = true
}

export const playsWhole = (): boolean => isComplete

/** A number of runs, or a bound that depends on it. */
export const inSample = (sample: number, whole: number): number => (isComplete ? whole : sample)
