/**
 * Runs the effects of written steps: releases the units of ended orders, requests refunds, and closes payment pages that
 * no order waits for. The table already records each effect as due. An effect that fails or lacks time stays due, and
 * `reconcile` repeats it.
 */
import type { SaleId } from '../../core/ids.ts'
import { slicesOf } from '../../core/lib/slices.ts'
import { holdsUnits, type Order } from '../../core/orders/order.ts'
import { endedAttempt, type LifeEvent, type LifeStep } from '../../core/orders/order-life.ts'
import { isDisputed } from '../../core/orders/order-refunds.ts'
import { within } from '../lib/retry.ts'
import { type PaymentRequest, toPaymentRequest } from '../lib/shop/payment-provider.ts'
import type { ShopContext, StorePorts } from '../lib/shop/shop.ts'
import { errorFacts } from '../lib/telemetry.ts'
import { deletePage } from '../table/orders/due-money.ts'
import { reportAmountMismatch, reportMismatch, requestRefund } from './refund.ts'
import { logReleaseDue, releaseUnits } from './release.ts'

export type EffectPorts = StorePorts & Pick<ShopContext, 'shopfront' | 'provider' | 'meter' | 'log'>

type WithOrder<Step> = Step extends { kind: 'moved' } ? Step & { from: Order } : Step & { order: Order }

/** A step of an order: `from` is the order before a move, `order` the current one. */
export type TakenStep = WithOrder<LifeStep>

type Moved = Extract<TakenStep, { kind: 'moved' }>

/** Concurrent requests to the provider. */
const concurrency = 10

/**
 * Runs the effects of `steps` that `event` caused. After `deadline` (epoch ms) it waits for no release and closes no more
 * pages. It requests every refund, and waits for every pending request to the provider. Never throws.
 */
export async function runEffects(
  ports: EffectPorts,
  event: LifeEvent,
  steps: readonly TakenStep[],
  deadline: number,
): Promise<void> {
  for (const step of steps) reportContradiction(ports, event, step)
  const moved = steps.filter((step) => step.kind === 'moved')
  for (const one of moved) reportMove(ports, one)
  await Promise.all([release(ports, moved, deadline), refund(ports, moved), closePages(ports, moved, deadline)])
}

/** Reports money that the order cannot account for. A person must act. */
function reportContradiction(ports: EffectPorts, event: LifeEvent, step: TakenStep): void {
  const { orderId } = step.order
  if ('mismatch' in step && step.mismatch) reportMismatch(ports, orderId, step.mismatch)
  if (step.kind === 'same' && step.before && event.kind === 'payment-succeeded') {
    reportAmountMismatch(ports, orderId, step.before, event)
  }
}

function reportMove({ meter, log }: EffectPorts, { from, order: { orderId, status, history } }: Moved): void {
  if (status !== from.status && status === 'cancelled') meter.count('OrdersCancelled')
  if (status !== from.status && status === 'paid') meter.count('OrdersPaid')
  log.info('order changed', { orderId, status, what: history.at(-1)?.what })
}

/** Releases the units of ended orders, with one call per sale. */
async function release(ports: EffectPorts, moved: readonly Moved[], deadline: number): Promise<void> {
  const ended = moved.filter(({ from, order }) => holdsUnits(from.status) && !holdsUnits(order.status))
  const bySale = Map.groupBy(
    ended.map(({ order }) => order),
    ({ saleId }) => saleId,
  )
  const one = ([saleId, orders]: [SaleId, Order[]]) =>
    within(deadline - ports.clock(), releaseUnits(ports, saleId, orders)).catch((error) =>
      logReleaseDue(ports, saleId, orders, error),
    )
  await Promise.all([...bySale].map(one))
}

/** Requests refunds, except of disputed money, which is refunded after the end of the dispute. */
async function refund(ports: EffectPorts, moved: readonly Moved[]): Promise<void> {
  await Promise.all(
    moved.map(
      ({ order, refund: money }) =>
        money && !isDisputed(order, money.paymentId) && requestRefund(ports, { ...money, orderId: order.orderId }),
    ),
  )
}

async function closePages(ports: EffectPorts, moved: readonly Moved[], deadline: number): Promise<void> {
  const pages = moved.flatMap(({ from, order }) => {
    const attempt = endedAttempt(from, order)
    return attempt === undefined ? [] : [toPaymentRequest(from, attempt)]
  })
  for (const some of slicesOf(pages, concurrency)) {
    if (ports.clock() >= deadline) return
    await Promise.all(some.map((page) => closePage(ports, page)))
  }
}

/**
 * Closes a page that the shop no longer waits for. Resolves with false when that failed and stays due. Money that is
 * authorised on an open page is released later.
 */
export async function closePage(
  { table, provider, log }: Pick<EffectPorts, 'table' | 'provider' | 'log'>,
  page: PaymentRequest,
): Promise<boolean> {
  const { orderId, paymentId } = page
  try {
    await provider.withdraw(page)
    await deletePage(table, paymentId)
    return true
  } catch (error) {
    log.info('payment page not closed', { orderId, paymentId, ...errorFacts(error) })
    return false
  }
}
