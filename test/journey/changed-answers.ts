/**
 * Sales from outside that change what they answer a crowd: planned or started at once, with a whole or a split stock. The
 * answers of the CloudFront Functions differ from those of the gate by `x-cache`.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Answer,
  buy,
  control,
  countdownOf,
  definition,
  eventually,
  pointerOf,
  type Shop,
  type Won,
} from './support.ts'

export type Opening = 'planned' | 'at once'
export type Division = 'whole' | 'split'
export const sorts = (['planned', 'at once'] as const).flatMap((opening) =>
  (['whole', 'split'] as const).map((division): [Opening, Division] => [opening, division]),
)

export type Sold = { saleId: string; startToken: string }

/** Long enough for `start` to be answered before it. */
const plannedMs = 3000

/** A sale of `stock` units in two shards, if it is split, that sells. */
export async function openSold(shop: Shop, [opening, division]: [Opening, Division], stock: number): Promise<Sold> {
  const isPlanned = opening === 'planned'
  const startsAt = Date.now() + (isPlanned ? plannedMs : 3_600_000)
  const sale = definition({
    ...{ stock, startsAt, endsAt: startsAt + 7_200_000, admissionRatio: 100 },
    ...(division === 'split' && { shards: 2 }),
  })
  const saleId = String(sale.saleId)
  await control(shop, '/sales', sale)
  await control(shop, `/sales/${saleId}/start`, isPlanned ? {} : { now: true })
  const startToken = await eventually(async () => {
    const { started, startToken } = await countdownOf(shop, (await pointerOf(shop, saleId)).src)
    return started ? startToken : undefined
  })
  return { saleId, startToken }
}

/** A click of the shopper, which begins with `x-cache: FunctionGenerated` where a CloudFront Function has answered. */
async function clickAs(shop: Shop, { saleId, startToken }: Sold, name: string): Promise<Answer<Won>> {
  return buy(shop, saleId, { token: await shop.token(name), startToken, key: `${saleId}-${name}` })
}

const isOfFunction = ({ headers }: Answer) => headers.get('x-cache')?.startsWith('FunctionGenerated') === true

/** The units of the sale, each to a shopper of its own; resolves with the orders and the time of the last 202. */
export async function sellAll(
  shop: Shop,
  sold: Sold,
  stock: number,
): Promise<{ orders: { orderId: string; name: string }[]; at: number }> {
  const times: number[] = []
  const names = Array.from({ length: stock }, (_, n) => `${sold.saleId}-${n}`)
  const orders = await Promise.all(
    names.map((name) =>
      eventually(async () => {
        const answer = await clickAs(shop, sold, name)
        // As a page does: the gate refuses a shopper who does not wait, for the rest of a minute.
        if (answer.status >= 300) await sleep((answer.body.retryAfterSeconds ?? 0) * 1000)
        if (answer.status >= 300) return undefined
        times.push(Date.now())
        return { orderId: answer.body.orderId, name }
      }),
    ),
  )
  return { orders, at: Math.max(...times) }
}

/** Clicks, each of another shopper because the gate refuses one who asks on and on, until one is accepted. */
export async function untilAccepted(shop: Shop, sold: Sold): Promise<Won> {
  return eventually(async () => {
    const answer = await clickAs(shop, sold, crypto.randomUUID())
    return answer.status < 300 ? answer.body : undefined
  })
}

/** When such a click was first refused with `code`: by a CloudFront Function, and by any part; epoch ms. */
export async function untilRefused(
  shop: Shop,
  sold: Sold,
  code: string,
): Promise<{ atFunction: number; anywhere: number }> {
  let anywhere: number | undefined
  const atFunction = await eventually(async () => {
    const answer = await clickAs(shop, sold, crypto.randomUUID())
    if (answer.body.code !== code) return undefined
    anywhere ??= Date.now()
    return isOfFunction(answer) ? Date.now() : undefined
  })
  return { atFunction, anywhere: anywhere ?? atFunction }
}
