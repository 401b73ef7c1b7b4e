/** Follows a sample of winners to their prize, through the API that pages use. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type HttpClient, memberOf, textMember } from './http.ts'
import type { WonOrder, WonPacket } from './requests.ts'

export type Seen = {
  /** From the winning answer to the first answer that shows the prize. */
  delaysMs: number[]
  /** Names of prizes that were not shown in time. */
  unseen: string[]
}

/** Where winners look for a prize, whether an answer shows it, and its name in a verdict. */
export type PrizeView<Prize> = {
  path(prize: Prize): string
  shows(body: unknown, prize: Prize): boolean
  nameOf(prize: Prize): string
}

export type WinnerWatch<Prize> = { won(prize: Prize, token: string): void; finish(): Promise<Seen> }

const pollMs = 200

/** Watches every `every`th winner; a sample, because polling is load too. */
export function watchWinners<Prize>(
  client: HttpClient,
  view: PrizeView<Prize>,
  { every, patienceMs }: { every: number; patienceMs: number },
): WinnerWatch<Prize> {
  const seen: Seen = { delaysMs: [], unseen: [] }
  const watches: Promise<void>[] = []
  let winners = 0

  const watch = async (prize: Prize, token: string) => {
    const from = performance.now()
    while (performance.now() - from < patienceMs) {
      const { reply } = await client.get(view.path(prize), token)
      if (reply?.status === 200 && view.shows(reply.body, prize)) {
        seen.delaysMs.push(performance.now() - from)
        return
      }
      await sleep(Math.max(pollMs, (reply?.retryAfterSeconds ?? 0) * 1000))
    }
    seen.unseen.push(view.nameOf(prize))
  }

  return {
    won(prize, token) {
      if (winners % every === 0) watches.push(watch(prize, token))
      winners += 1
    },
    async finish() {
      await Promise.all(watches)
      return seen
    },
  }
}

/** Where winners see that their order is written, and its coupons. An order on its own page. */
export const orderView: PrizeView<Pick<WonOrder, 'orderId'>> = {
  path: ({ orderId }) => `/api/orders/${orderId}`,
  shows: isWritten,
  nameOf: ({ orderId }) => orderId,
}

/** The same with a code for each unit. */
export const couponView: PrizeView<WonOrder> = {
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

/** Where winners of red packets see their money. The credit in the winner's own wallet, to the cent. */
export const walletView: PrizeView<WonPacket> = {
  path: () => '/api/wallet',
  shows: (body, won) => creditsIn(body).some((credit) => isOf(credit, won)),
  nameOf: ({ packetId }) => packetId,
}

function creditsIn(body: unknown): unknown[] {
  const credits = memberOf(body, 'credits')
  return Array.isArray(credits) ? credits : []
}

function isOf(credit: unknown, { packetId, amount, currency }: WonPacket): boolean {
  return (
    memberOf(credit, 'packetId') === packetId &&
    memberOf(credit, 'amount') === amount &&
    memberOf(credit, 'currency') === currency
  )
}
