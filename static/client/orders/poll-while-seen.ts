/**
 * Looks again and again while the page is seen: one look at a time, none in a hidden tab, one at
 * once on return.
 */

/**
 * `look` resolves with the milliseconds until the next look, undefined when only a return is a
 * reason for one.
 */
type Ports = { look(): Promise<number | undefined>; hidden(): boolean }

export function pollWhileSeen({ look, hidden }: Ports) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let looking = false
  let again = false

  async function turn(): Promise<void> {
    looking = true
    clearTimeout(timer)
    let waitMs: number | undefined
    do {
      again = false
      waitMs = await look()
    } while (again)
    looking = false
    if (waitMs !== undefined && !hidden()) timer = setTimeout(() => void turn(), waitMs)
  }

  return {
    /** Looks at once. While a look is under way, what it brings may be old: another follows it. */
    now(): void {
      if (looking) again = true
      else void turn()
    },
    /** The page is not seen any more. */
    rest(): void {
      clearTimeout(timer)
    },
  }
}
