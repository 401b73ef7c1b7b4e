/** Every fake can go unavailable, as the real part behind its port can. */

export type Switchable = { goDown: () => void; comeUp: () => void }

/** Throws in place of an answer while unavailable; `what` is in the error. */
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
