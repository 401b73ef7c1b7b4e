/**
 * Follows a red packet into the wallet: the page of the rain loads it with the claim. It asks with requests that the shop holds
 * until the packet is credited, and polls a shop that holds none, until it is time to stop.
 */
import { heldWait } from '../client/held-wait.ts'
import type { Reply } from '../client/http.ts'
import type { SaleId } from '../core/ids.ts'
import { followMs } from '../core/packets/wallet-poll.ts'

/** `read` takes the wallet at that path, `isThere` says whether the packet is in it; `gaveUp` is called when it did not arrive in time. */
type Ports = {
  saleId: SaleId
  read(path: string): Promise<Reply>
  isThere(): boolean
  gaveUp(): void
  random(): number
}

export function followCredit({ saleId, read, isThere, gaveUp, random }: Ports): void {
  const held = heldWait()

  function plan(looks: number, wasHeld: boolean): void {
    const heldMs = held.nextMs(false, random())
    // When no more is held, the page stops as it does after its last poll.
    const next = wasHeld && heldMs !== undefined ? Number.POSITIVE_INFINITY : looks
    const waitMs = heldMs ?? followMs(next, random())
    if (waitMs === undefined) gaveUp()
    else setTimeout(() => void turn(heldMs !== undefined, next), waitMs)
  }

  async function turn(isHeld: boolean, looks: number): Promise<void> {
    const reply = isHeld ? await held.ask(() => read(`/api/credit?sale=${saleId}`)) : undefined
    if (reply === undefined) await read('/api/wallet')
    if (!isThere()) plan(isHeld ? looks : looks + 1, reply !== undefined)
  }

  plan(0, false)
}
