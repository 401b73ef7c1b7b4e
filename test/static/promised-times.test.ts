/** Each time that a text of the pages promises is kept by a constant of the code, which these tests compare with it. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { blockKinds } from '../../core/gate/block.ts'
import { nextPollMs } from '../../core/sale/pointer-poll.ts'
import { pageCaching } from '../../functions/lib/shop/shop.ts'
import { reconcileRate } from '../../system/functions.ts'

/** The value of a constant in a source file, such as `const keptMs = 7 * 86_400_000`. */
function constant(file: string, name: string): number {
  const [, product] = new RegExp(`\\b${name}\\s*[=:]\\s*([\\d_ *]+)`).exec(readFileSync(file, 'utf8')) ?? []
  if (product === undefined) throw new Error(`${file} has no constant ${name}`)
  return product.split('*').reduce((all, factor) => all * Number(factor.replaceAll('_', '')), 1)
}

const [second, minute, hour] = [1000, 60_000, 3_600_000]
const unitMs: Readonly<Record<string, number>> = { second, minute, min: minute, hour, day: 24 * hour, s: second }
const numbers: Readonly<Record<string, number>> = { a: 1, one: 1, every: 1, two: 2, five: 5, ten: 10 }
const timePattern =
  /(?<![\w{}.])((?:a|one) (?:second|minute) or two|(?:a|one|every|two|five|ten|[\d.]+) (?:seconds?|minutes?|min|hours?|days?|s)\b)/gi

/** The times in a text, ms; of "a minute or two" the longer one. */
const timesIn = (text: string): number[] =>
  [...text.matchAll(timePattern)].map(([time]) => {
    const [n = '', unit = '', , more] = time.toLowerCase().split(' ')
    return (more === undefined ? (numbers[n] ?? Number(n)) : 2) * (unitMs[unit.replace(/(?<=..)s$/, '')] ?? Number.NaN)
  })

/** The longest wait of an open page until it looks, and the second for which its answer is cached. */
const poll = { armed: false, nextStartsAt: null, hidden: false, failures: 0, startsAt: 0 }
const seenWithin = (facts: Partial<Parameters<typeof nextPollMs>[0]>) =>
  Math.max(...[0, 1].map((random) => nextPollMs({ ...poll, phase: 'open', now: minute, ...facts }, random))) + second
const running = (['open', 'paused', 'held-back', 'sold-out'] as const).map((phase) => seenWithin({ phase }))
const late = seenWithin({ phase: 'scheduled', now: 24 * hour })
const waiting = seenWithin({ phase: 'scheduled', armed: true, now: -24 * hour })
const pages = [.../(?:max-age|s-maxage)=(\d+)/g[Symbol.matchAll](pageCaching)].reduce(
  (sum, [, s]) => sum + Number(s) * second,
  0,
)

/** A list of the gate is a second old at most, and its next read takes no longer than another one. */
const lists = 2 * constant('edge/memory/refreshing-cache.ts', 'maxAgeMs')
const reconcile = reconcileRate.everyMinutes * minute
/** Returns the work of the second of two runs, each of which is limited to that time. */
const twoRuns = reconcile + constant('functions/entries/reconcile.handler.ts', 'maxReconcileMs')
const retry = [reconcile]

/** The constants behind each promise, ms: each is at most the time in the text, at its place, and more than half of it. */
const kept: Readonly<Record<string, readonly number[]>> = {
  'ask.open-nowText': [late],
  // About: the armed page is cached for a second more.
  'ask.open-earlyText': [waiting - second],
  'ask.closeText': [Math.max(...running), waiting - second],
  'red-packet.ask.closeText': [Math.max(...running), waiting - second],
  'ask.resumeText': [Math.max(...running)],
  'coupon.ask.resumeText': [Math.max(...running)],
  'red-packet.ask.resumeText': [Math.max(...running)],
  'effect.shown': [Math.max(...running)],
  'ask.publishText': [pages],
  'coupon.ask.publishText': [pages],
  'red-packet.ask.publishText': [pages],
  'brand.saved': [pages],
  'effect.brandWhere': [pages],
  'ask.recoverAfter': [twoRuns],
  'red-packet.ask.recoverAfter': [twoRuns],
  'refusal.stock-lost': [twoRuns],
  'refusal.change-saved': [twoRuns],
  'refusal.stock-differs': retry,
  'report.pending': retry,
  'report.demand.unknown': retry,
  'blocks.untilHint': retry,
  'alert.drift': retry,
  'alert.unrepaired': retry,
  'system.part.reconcile': retry,
  'system.part.tick': [constant('functions/tick/tick.ts', 'everyMs')],
  'system.do.pass-keys': [constant('core/gate/pass.ts', 'daySeconds') * second],
  'live.unavailable.redis': [constant('console/sale/sale-view.tsx', 'everyMs')],
  'red-packet.live.unavailable.redis': [constant('console/sale/sale-view.tsx', 'everyMs')],
  'live.heldBack': [constant('functions/recovery/stock/held-back.ts', 'deliveryMs')],
  'alert.waiting': [constant('functions/repair/jobs/dispatch.ts', 'maxWaitMs')],
  'alert.unpaid': [constant('functions/orders/payment-outcomes.ts', 'recentMs')],
  'refusal.being-captured': [constant('core/orders/order-life.ts', 'captureMs')],
  'refusal.unknown-upload': [1 * 24 * hour],
  'customers.refused': [constant('redis/gate/demand.ts', 'countedHours') * hour],
  'customers.refused.future': [constant('edge/memory/tokens.ts', 'maxAheadSeconds') * second],
  'customers.hint.jwksUrl': [constant('functions/gate/customer-keys.ts', 'keysAgeMs')],
  'warn.soon': [constant('console/form/form-summary.ts', 'soonMs')],
  'pace.waitingHint': [constant('core/buy/limits.ts', 'clickIntervalMs')],
  later: [constant('functions/orders/payments/payment-simulator.ts', 'delayedPaymentMs')],
  'home.title': [constant('core/sale/sale-search.ts', 'nearMs')],
  'search.state.near': [constant('core/sale/sale-search.ts', 'nearMs')],
  ...Object.fromEntries(
    [
      ...[
        'block.text',
        'block.done',
        'block.undone',
        ...blockKinds.flatMap((kind) => [`effect.block.${kind}`, `effect.unblock.${kind}`] as const),
      ],
      ...['customers.removeEffect', 'customers.saved', 'customers.removed'],
    ].map((key) => [key, [lists]]),
  ),
}

/** Texts whose time is an example, a unit, or what a person is asked to wait. */
const others = [
  ...['console.secondFactor', 'signIn.oneFactor', 'status.unsure', 'schedule.title'],
  ...['error.minutes', 'window.hint', 'customer.busyLead', 'block.aloneText'],
  // The writer is woken by the message; the page asks until the order is there.
  ...['order.lead.reserved', 'coupon.lead.reserved'],
]

const english = JSON.parse(readFileSync('languages/en.json', 'utf8')).messages as Record<string, Record<string, string>>
const timed = Object.values(english)
  .flatMap((texts) => Object.entries(texts))
  .filter(([, text]) => timesIn(text).length > 0)

describe('a time that a text promises', () => {
  it('is kept by a constant, in every text', () => {
    expect(timed.map(([key]) => key).sort()).toEqual([...Object.keys(kept), ...others].sort())
  })

  it.each(timed.filter(([key]) => key in kept))(
    '%s is as long as the code takes, and not twice as long',
    (key, text) => {
      const [promised, needed] = [timesIn(text), kept[key] ?? []]
      expect(promised).toHaveLength(needed.length)
      for (const [at, ms] of needed.entries()) {
        expect(ms, text).toBeLessThanOrEqual(promised[at] ?? 0)
        expect(ms, text).toBeGreaterThan((promised[at] ?? 0) / 2)
      }
    },
  )
})
