/** Looks again and again while the page is seen: one look at a time, none in a hidden tab, one at once on return. */

/**
 * `look` resolves with the milliseconds until the next look, undefined when only a return is a
 * reason for one. `isPlanned`: this is such a next look, which may take its time.
 */
type Ports = { look(isPlanned: boolean): Promise<number | undefined>; hidden(): boolean }

export function pollWhileSeen({ look, hidden }: Ports) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let looking = false
  let again = false

  async function turn(isPlanned: boolean): Promise<void> {
    looking = true
    clearTimeout(timer)
    let waitMs = await look(isPlanned)
    while (again) {
      again = false
      waitMs = await look(false)
    }
    looking = false
    if (waitMs !== undefined && !hidden()) timer = setTimeout(() => void turn(true), waitMs)
  }

  return {
    /** Looks at once. While a look is under way, what it brings may be old: another follows it. */
    now(): void {
      if (looking) again = true
      else void turn(false)
    },
    /** The page is not seen any more. */
    rest(): void {
      clearTimeout(timer)
    },
  }
}
