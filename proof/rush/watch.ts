/** Polls the orders or wallets of a sample of winners through the public API. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type HttpClient, memberOf, textMember } from './http.ts'
import type { WonOrder, WonPacket } from './requests.ts'

export type Seen = {
  /** Time from the winning answer to the first answer that shows the order or credit. */
  delaysMs: number[]
  /** Ids that were not shown in time. */
  unseen: string[]
}

/** The path that winners poll, whether an answer shows the win, and the id for the verdict. */
export type WinView<Win> = {
  path(win: Win): string
  shows(body: unknown, win: Win): boolean
  nameOf(win: Win): string
}

export type WinnerWatch<Win> = { won(win: Win, token: string): void; finish(): Promise<Seen> }

const pollMs = 200

/** Watches every `every`th winner only, because polling adds load. */
export function watchWinners<Win>(
  client: HttpClient,
  view: WinView<Win>,
  { every, patienceMs }: { every: number; patienceMs: number },
): WinnerWatch<Win> {
  const seen: Seen = { delaysMs: [], unseen: [] }
  const watches: Promise<void>[] = []
  let winners = 0

  const watch = async (win: Win, token: string) => {
    const from = performance.now()
    while (performance.now() - from < patienceMs) {
      const { reply } = await client.get(view.path(win), token)
      if (reply?.status === 200 && view.shows(reply.body, win)) {
        seen.delaysMs.push(performance.now() - from)
        return
      }
      await sleep(Math.max(pollMs, (reply?.retryAfterSeconds ?? 0) * 1000))
    }
    seen.unseen.push(view.nameOf(win))
  }

  return {
    won(win, token) {
      if (winners % every === 0) watches.push(watch(win, token))
      winners += 1
    },
    async finish() {
      await Promise.all(watches)
      return seen
    },
  }
}

/** Shows an order once it is written. */
export const orderView: WinView<Pick<WonOrder, 'orderId'>> = {
  path: ({ orderId }) => `/api/orders/${orderId}`,
  shows: isWritten,
  nameOf: ({ orderId }) => orderId,
}

/** Shows an order of coupons once it has a code for each unit. */
export const couponView: WinView<WonOrder> = {
  ...orderView,
  shows: (body, { quantity }) => isWritten(body) && codesIn(body) === quantity,
}

function isWritten(body: unknown): boolean {
  const status = textMember(body, 'status')
  return status !== undefined && status !== 'reserved'
}

function codesIn(body: unknown): number {
  const coupons = memberOf(body, 'coupons')
  return Array.isArray(coupons) ? new Set(coupons).size : 0
}

/** Shows the credit in the winner's wallet, with its exact amount. */
export const walletView: WinView<WonPacket> = {
  path: () => '/api/wallet',
  shows: (body, won) => creditsIn(body).some((credit) => isCreditOf(credit, won)),
  nameOf: ({ packetId }) => packetId,
}

function creditsIn(body: unknown): unknown[] {
  const credits = memberOf(body, 'credits')
  return Array.isArray(credits) ? credits : []
}

function isCreditOf(credit: unknown, { packetId, amount, currency }: WonPacket): boolean {
  return (
    memberOf(credit, 'packetId') === packetId &&
    memberOf(credit, 'amount') === amount &&
    memberOf(credit, 'currency') === currency
  )
}
