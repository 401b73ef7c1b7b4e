import { beforeAll, describe, expect, it } from 'vitest'
import type { ProblemCode } from '../../../core/outcome.ts'
import { boundedQuantity } from '../../../static/sale/choice.ts'
import { isOutdated, newsOfOutcome, newsOfReturn } from '../../../static/sale/news.ts'
import { couponSaleMessages, saleMessages } from '../../../templates/messages/catalogues.ts'
import { salePatterns } from '../../../templates/messages/page-patterns.ts'
import { addWords } from '../../../templates/messages/text.ts'

const facts = { quantity: 3, seconds: 10, signIn: '/sign-in/?return=%2Fsales%2Fmug%2F', bought: true }
const refused = (code: ProblemCode, remaining: number) =>
  ({ kind: 'refused', code, remaining, retryAfterSeconds: 0, atGate: false }) as const

beforeAll(() => addWords({ en: salePatterns.en ?? {} }))

describe('the news after a click', () => {
  it.each<[what: string, outcome: Parameters<typeof newsOfOutcome>[0], news: object]>([
    [
      'says that others were faster and 0 are left (C8, L5)',
      refused('sold-out', 0),
      { key: 'problem.sold-out', args: { remaining: 0 } },
    ],
    [
      'offers what is left when less is left than was asked for (S8)',
      refused('sold-out', 2),
      { key: 'status.fewerLeft', args: { remaining: 2 } },
    ],
    [
      'leads to sign-in and back',
      refused('sign-in-required', 0),
      { link: { href: facts.signIn, key: 'status.toSignIn' } },
    ],
    ['leads to the order', { kind: 'won', orderId: 'mug-x', repeat: false }, { link: { href: '/orders/?id=mug-x' } }],
    ['leads a shopper who has enough to what they have', refused('limit-reached', 3), { link: { href: '/orders/' } }],
    [
      'asks for another press when the order of the last one does not stand any more',
      { kind: 'gone', orderId: 'mug-x' },
      { key: 'status.gone', link: { href: '/orders/?id=mug-x', key: 'status.toOrder' } },
    ],
  ])('%s', (_, outcome, news) => {
    expect(newsOfOutcome(outcome, facts)).toMatchObject(news)
  })

  it('does not call a sale paused beside a button that can be pressed', () => {
    expect(isOutdated({ key: 'problem.paused' }, { isEnabled: true, remaining: 3 })).toBe(true)
    expect(isOutdated({ key: 'problem.paused' }, { isEnabled: false, remaining: 3 })).toBe(false)
    expect(isOutdated({ key: 'problem.sold-out' }, { isEnabled: true, remaining: 0 })).toBe(false)
    expect(isOutdated(undefined, { isEnabled: true, remaining: 3 })).toBe(false)
  })

  it('tells how many units came back, once, and takes it back when it is not true any more (C8)', () => {
    const news = newsOfReturn(3)
    expect(news).toEqual({ key: 'status.returned', args: { remaining: 3 } })
    expect(isOutdated(news, { isEnabled: true, remaining: 3 })).toBe(false)
    expect(isOutdated(news, { isEnabled: false, remaining: 3 })).toBe(false)
    expect(isOutdated(news, { isEnabled: true, remaining: 2 })).toBe(true)
  })

  it('says of a click that never left the device that nothing was sent, and promises no place', () => {
    expect(newsOfOutcome({ kind: 'offline' }, facts)).toEqual({ key: 'status.notSent' })
    for (const messages of [saleMessages, couponSaleMessages]) {
      expect(JSON.stringify(messages['status.unsure'])).not.toMatch(/place|位置/)
    }
  })

  it('promises nothing it does not know', () => {
    expect(newsOfOutcome({ kind: 'unsure' }, facts).key).toBe('status.unsure')
    expect(newsOfOutcome({ kind: 'busy', retryAfterSeconds: 0 }, facts).key).toBe('status.full')
    expect(newsOfOutcome(refused('at-capacity', 0), facts).key).toBe('status.full')
    expect(newsOfOutcome(refused('unavailable', 0), facts).key).toBe('problem.unavailable')
    expect(newsOfOutcome({ kind: 'busy', retryAfterSeconds: 0 }, { ...facts, bought: false }).key).toBe(
      'status.noOrder',
    )
  })
})

it('a typed quantity is held between 1 and the most per order (S2)', () => {
  expect(['0', '-3', 'x', '', '2', '99', '1.9'].map((text) => boundedQuantity(text, 3))).toEqual([1, 1, 1, 1, 2, 3, 1])
})
