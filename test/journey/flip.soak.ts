/** The start of scheduled sales, as a client sees it that reads everything public all the time (C6). */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { armedForMs } from '../../redis/gate/armed-token.ts'
import { ownStack } from './own-stack.ts'
import { buyWhenAdmitted, createSale, eventually, passOf, pointerOf, presentCountdown, waitUntil } from './support.ts'

const sales = Number(process.env.FLIP_SALES ?? 20)
/** Between the starts of two sales, and from the call of `start` to the start of the first, ms. */
const apartMs = 1500
const aheadMs = 40_000
const everyMs = 200

const stack = await ownStack()

type Seen = { at: number; text: string }

/** The countdown that the pointer names. A cache may know for a second that it is missing, because the watch asks for the next one. */
const namedCountdown = (saleId: string) => presentCountdown(stack, saleId).catch(() => undefined)

/** Reads all that is public of a sale, with each version of its countdown, until `isOver`. */
async function watch(saleId: string, isOver: () => boolean): Promise<Seen[]> {
  const seen: Seen[] = []
  const known = new Set<string>()
  while (!isOver()) {
    const { version } = await pointerOf(stack, saleId)
    const versions = Array.from({ length: version + 1 }, (_, at) => at + 1)
    const countdowns = versions.flatMap((one) => ['js', 'json'].map((type) => `countdown.${one}.${type}`))
    const files = ['', 'current.json', ...countdowns.filter((name) => !known.has(name))]
    for (const name of files) {
      const answer = await fetch(`${stack.url}/sales/${saleId}/${name}`)
      const at = Date.now()
      seen.push({ at, text: await answer.text() })
      // Found files are immutable.
      if (answer.ok && countdowns.includes(name)) known.add(name)
    }
    await sleep(everyMs)
  }
  return seen
}

async function playStart(number: number, startsAt: number) {
  const saleId = `flip-${number}`
  await createSale(stack, { saleId, startsAt, limitPerShopper: 3 }, 'warm', 'start')
  const armed = await eventually(async () => {
    const countdown = await namedCountdown(saleId)
    return countdown?.startToken === undefined ? undefined : countdown
  })
  const token = await stack.token(`shopper-${number}`)
  await passOf(stack, token)
  const { startToken } = armed
  let isOver = false
  const watching = watch(saleId, () => isOver)
  const early = await buyWhenAdmitted(stack, saleId, { token, startToken })
  const opened = (async () => {
    for (;;) {
      const countdown = await namedCountdown(saleId)
      if (countdown?.started) return { at: Date.now(), countdown }
      await sleep(20)
    }
  })()
  await waitUntil(startsAt)
  const first = await buyWhenAdmitted(stack, saleId, { token, startToken, key: 'first' })
  const { at, countdown } = await opened
  const second = await buyWhenAdmitted(stack, saleId, { token, startToken: countdown.startToken, key: 'second' })
  // A busy machine may open the sale later than planned.
  await waitUntil(Math.max(startsAt, at) + armedForMs)
  const late = await buyWhenAdmitted(stack, saleId, { token, startToken, key: 'late' })
  isOver = true
  const seen = await watching
  const before = seen.filter((one) => one.at < startsAt)
  return {
    afterMs: at - startsAt,
    isArmed: !armed.started && armed.startToken !== countdown.startToken,
    tooEarly: before.filter(({ text }) => /"started":true/.test(text) || text.includes(`${countdown.startToken}`))
      .length,
    readsBefore: before.length,
    answers: [early, first, second, late].map(({ status, body }) => body.code ?? status),
  }
}

describe(`the start of ${sales} scheduled sales`, () => {
  it('is public from its time on and never before; what pages had until then sells for ten seconds (C6, G2)', async () => {
    const from = Date.now() + aheadMs
    const played = await Promise.all(Array.from({ length: sales }, (_, at) => playStart(at, from + at * apartMs)))
    const afterMs = played.map((one) => one.afterMs).sort((a, b) => a - b)
    const middle = afterMs[Math.floor(sales / 2)]
    console.log(
      `the start token was public ${afterMs[0]} to ${afterMs.at(-1)} ms after the start, in the middle ${middle} ms`,
    )
    for (const one of played) {
      expect(one).toMatchObject({
        isArmed: true,
        tooEarly: 0,
        answers: ['not-started', 202, 202, 'stale-page'],
      })
      expect(one.readsBefore).toBeGreaterThan(0)
      expect(one.afterMs).toBeGreaterThanOrEqual(0)
      expect(one.afterMs).toBeLessThan(armedForMs)
    }
  })
})
