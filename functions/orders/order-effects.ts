/**
 * The effects of steps that are written: the units of ended orders go back to their sale, money is refunded, payment
 * pages that no order waits for are closed. Each is due in the table by then. One that fails, or that there is no time
 * for, stays due, and `reconcile` repeats it.
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
import { reportAmountMismatch, reportRefundMismatch, requestRefund } from './refund.ts'
import { logReleaseDue, releaseUnits } from './release.ts'

export type EffectPorts = StorePorts & Pick<ShopContext, 'shopfront' | 'provider' | 'meter' | 'log'>

type WithOrder<Step> = Step extends { kind: 'moved' } ? Step & { from: Order } : Step & { order: Order }

/** A step of an order: `from` is what it was before a move, `order` what it is now. */
export type TakenStep = WithOrder<LifeStep>

type Moved = Extract<TakenStep, { kind: 'moved' }>

/** Requests to the provider at once. */
const concurrency = 10

/**
 * Runs the effects of `steps` that `event` led to. After `deadline` (epoch ms) it waits for no release and closes no
 * further page. It asks for each refund, and it waits for every request to the provider that is under way. Never throws.
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
  if ('mismatch' in step && step.mismatch) reportRefundMismatch(ports, orderId, step.mismatch)
  if (step.kind === 'same' && step.before && event.kind === 'payment-succeeded') {
    reportAmountMismatch(ports, orderId, step.before, event)
  }
}

function reportMove({ meter, log }: EffectPorts, { from, order: { orderId, status, history } }: Moved): void {
  if (status !== from.status && status === 'cancelled') meter.count('OrdersCancelled')
  if (status !== from.status && status === 'paid') meter.count('OrdersPaid')
  log.info('order changed', { orderId, status, what: history.at(-1)?.what })
}

/** One release for each sale. */
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

/** A refund of disputed money waits for the end of the dispute. */
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
 * Closes a page that the shop no longer waits for; false when it stays due. A page that stays open authorises money that
 * is released.
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
