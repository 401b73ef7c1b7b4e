/** A switch that makes a fake unavailable, like the real part behind its port. */

export type Switchable = { goDown: () => void; comeUp: () => void }

/** Throws instead of answering while unavailable; the error names `what`. */
export function outage(what: string): Switchable & { pass: () => void } {
  let unavailable = false
  return {
    goDown: () => {
      unavailable = true
    },
    comeUp: () => {
      unavailable = false
    },
    pass: () => {
      if (unavailable) throw new Error(`${what} is unavailable`)
    },
  }
}
