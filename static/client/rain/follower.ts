/** Follows a credit into the wallet: looks until it is there, or until it is time to stop. */
import { followMs } from './follow.ts'

/** `look` says whether the credit is there; `gaveUp` is told when it was not in all that time. */
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
    // Another tap may have begun anew meanwhile.
    if (!there && mine === begun) plan(looks + 1, mine)
  }

  return {
    /** Begins anew; what was planned is dropped. */
    begin(): void {
      clearTimeout(timer)
      begun += 1
      plan(0, begun)
    },
  }
}
