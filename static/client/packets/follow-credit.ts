/** Follows a credit into the wallet: looks until it is there, or until it is time to stop. */
import { followMs } from '../../../core/packets/wallet-poll.ts'

/** `look` checks for the credit; `gaveUp` is called when it did not arrive in time. */
type Ports = { look(): Promise<boolean>; gaveUp(): void; random(): number }

export function follower({ look, gaveUp, random }: Ports) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let begun = 0

  function plan(looks: number, mine: number): void {
    const waitMs = followMs(looks, random())
    if (waitMs === undefined) gaveUp()
    else timer = setTimeout(() => void turn(looks, mine), waitMs)
  }

  async function turn(looks: number, mine: number): Promise<void> {
    const there = await look()
    // Another claim may have started meanwhile.
    if (!there && mine === begun) plan(looks + 1, mine)
  }

  return {
    /** Starts again; planned look-ups are dropped. */
    begin(): void {
      clearTimeout(timer)
      begun += 1
      plan(0, begun)
    },
  }
}
