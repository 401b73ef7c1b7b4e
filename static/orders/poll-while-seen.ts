/** Polls while the page is visible: one read at a time, none in a hidden tab, one at once on return. */

/**
 * `read` resolves with the milliseconds until the next read, or undefined to stop until the reader returns. `isPlanned`:
 * this is such a next read, which may be a held request.
 */
type Ports = { read(isPlanned: boolean): Promise<number | undefined>; hidden(): boolean }

export function pollWhileSeen({ read, hidden }: Ports) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isReading = false
  let again = false

  async function poll(isPlanned: boolean): Promise<void> {
    isReading = true
    clearTimeout(timer)
    let waitMs = await read(isPlanned)
    while (again) {
      again = false
      waitMs = await read(false)
    }
    isReading = false
    if (waitMs !== undefined && !hidden()) timer = setTimeout(() => void poll(true), waitMs)
  }

  return {
    /** Reads at once, or once more after the read in progress, whose answer may be stale. */
    now(): void {
      if (isReading) again = true
      else void poll(false)
    },
    /** Stops while the page is hidden. */
    rest(): void {
      clearTimeout(timer)
    },
  }
}
