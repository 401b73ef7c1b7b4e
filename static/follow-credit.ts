/** Waits until a claimed red packet is credited, with held requests or by polling. The red-packet page loads it after a claim. */
import { heldWait } from '../client/held-wait.ts'
import type { Reply } from '../client/http.ts'
import type { SaleId } from '../core/ids.ts'
import { nextWalletPollMs } from '../core/packets/wallet-poll.ts'

/** `read` reads the wallet at a path. `isThere`: the packet is in it. `gaveUp` is called when it did not arrive in time. */
type Ports = {
  saleId: SaleId
  read(path: string): Promise<Reply>
  isThere(): boolean
  gaveUp(): void
  random(): number
}

export function followCredit({ saleId, read, isThere, gaveUp, random }: Ports): void {
  const held = heldWait()

  function plan(polls: number, wasHeld: boolean): void {
    const heldMs = held.nextMs(false, random())
    // After the last held request the page stops, as after its last poll.
    const next = wasHeld && heldMs !== undefined ? Number.POSITIVE_INFINITY : polls
    const waitMs = heldMs ?? nextWalletPollMs(next, random())
    if (waitMs === undefined) gaveUp()
    else setTimeout(() => void poll(heldMs !== undefined, next), waitMs)
  }

  async function poll(isHeld: boolean, polls: number): Promise<void> {
    const reply = isHeld ? await held.ask(() => read(`/api/credit?sale=${saleId}`)) : undefined
    if (reply === undefined) await read('/api/wallet')
    if (!isThere()) plan(isHeld ? polls : polls + 1, reply !== undefined)
  }

  plan(0, false)
}
