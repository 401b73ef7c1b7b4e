/** Follows a credit into the wallet: looks until it is there, or until it is time to stop. */
import { type HeldWait, heldWait } from '../../../client/held-wait.ts'
import { followMs } from '../../../core/packets/wallet-poll.ts'

/** `look` checks for the credit, by `held` if it is given; `gaveUp` is called when it did not arrive in time. */
type Ports = { look(held: HeldWait | undefined): Promise<boolean>; gaveUp(): void; random(): number }

const patienceMs = 30_000

export function follower({ look, gaveUp, random }: Ports) {
  const held = heldWait()
  let timer: ReturnType<typeof setTimeout> | undefined
  let begun = 0
  let begunAt = 0

  function plan(looks: number, mine: number): void {
    const heldMs = held.nextMs(looks === 0, random())
    const waitMs = heldMs ?? followMs(looks, random())
    if (waitMs === undefined || Date.now() - begunAt > patienceMs) gaveUp()
    else timer = setTimeout(() => void turn(looks, mine, heldMs === undefined ? undefined : held), waitMs)
  }

  async function turn(looks: number, mine: number, how: HeldWait | undefined): Promise<void> {
    const there = await look(how)
    // Another claim may have started meanwhile.
    if (!there && mine === begun) plan(looks + 1, mine)
  }

  return {
    /** Starts again; planned look-ups are dropped. */
    begin(): void {
      clearTimeout(timer)
      begun += 1
      begunAt = Date.now()
      plan(0, begun)
    },
  }
}
