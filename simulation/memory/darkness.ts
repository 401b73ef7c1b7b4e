/** Every fake can go dark, as the real part behind its port can. */

export type Switchable = { goDark: () => void; comeBack: () => void }

/** Throws in place of an answer while dark; `what` is in the error. */
export function darkness(what: string): Switchable & { pass: () => void } {
  let dark = false
  return {
    goDark: () => {
      dark = true
    },
    comeBack: () => {
      dark = false
    },
    pass: () => {
      if (dark) throw new Error(`${what} is dark`)
    },
  }
}
