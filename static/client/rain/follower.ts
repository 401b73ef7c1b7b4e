/** Follows a credit into the wallet: looks until it is there, or until it is time to stop. */
import { followMs } from '../../../core/wallet-poll.ts'

/** `look` says whether the credit is there; `gaveUp` is told when it was not in all that time. */
type Ports = { look(): Promise<boolean>; gaveUp(): void; random(): number }

export function follower({ look, gaveUp, random }: Ports) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let begun = 0

  function plan(looks: number, mine: number, delayMs = 0): void {
    const waitMs = followMs(looks, random())
    if (waitMs === undefined) gaveUp()
    else timer = setTimeout(() => void turn(looks, mine), waitMs + delayMs)
  }

  async function turn(looks: number, mine: number): Promise<void> {
    const there = await look()
    // Another tap may have begun anew meanwhile.
    if (!there && mine === begun) plan(looks + 1, mine)
  }

  return {
    /** Begins anew, `delayMs` later than after a catch that is sure; what was planned is dropped. */
    begin(delayMs: number): void {
      clearTimeout(timer)
      begun += 1
      plan(0, begun, delayMs)
    },
  }
}
