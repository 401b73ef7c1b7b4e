/** The logic of the elements without a page: when they read a sale, what they show of it, and their words. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createCustomer } from '../../client/elements/customer.ts'
import { countdownText, shownPhase } from '../../client/elements/phase.ts'
import { languageOf, say, shownLanguage } from '../../client/elements/words.ts'
import type { Countdown, Pointer } from '../../client/types.ts'

const startsAt = 1_800_000_000_000
const endsAt = startsAt + 3_600_000
const pointer: Pointer = {
  ...{ saleId: 'mug', version: 1, at: startsAt - 60_000, phase: 'scheduled', startsAt, endsAt },
  ...{ nextStartsAt: null, src: '', remaining: 10 },
}
const countdown: Countdown = { saleId: 'mug', version: 1, started: true, startsAt, endsAt, startToken: 't' }

describe('an element', () => {
  it('opens by the shop’s clock within half a second, only with a start token, and ends by it', () => {
    const at = (now: number, change: Partial<Pointer> = {}, token: string | undefined = 't') => {
      const { startToken: _, ...rest } = countdown
      const seen = { pointer: { ...pointer, ...change }, countdown: { ...rest, ...(token && { startToken: token }) } }
      return shownPhase(seen, now, 0.5)
    }
    expect(at(startsAt + 249)).toBe('scheduled')
    expect(at(startsAt + 250)).toBe('open')
    expect(at(startsAt + 9000, {}, '')).toBe('scheduled')
    expect(at(startsAt + 9000, { phase: 'paused' })).toBe('paused')
    expect(at(endsAt, { phase: 'open' })).toBe('ended')
    const next = { phase: 'open', nextStartsAt: endsAt + 60_000 } as const
    expect(at(endsAt, next)).toBe('scheduled')
  })

  it.each([
    [-1, '00:00'],
    [999, '00:01'],
    [61_000, '01:01'],
    [3_600_000, '01:00:00'],
    [2 * 86_400_000 + 5_000, '2 d 00:00:05'],
  ])('shows %d ms as %s', (ms, text) => {
    expect(countdownText(ms, 'd')).toBe(text)
  })

  it.each([
    ['de-AT', 'de'],
    ['zh-Hant-TW', 'zh-CN'],
    ['AR', 'ar'],
    ['nl', 'en'],
    ['constructor', 'en'],
  ])('on a page in %s speaks %s', (tag, language) => {
    expect(languageOf(tag)).toBe(language)
  })

  it('loads the words of a language once, and speaks English where they cannot be read', async () => {
    vi.stubGlobal('wordsHash', 'a1b2')
    const complained = vi.spyOn(console, 'error').mockReturnValue(undefined)
    const asked: string[] = []
    vi.stubGlobal('fetch', async (address: string) => {
      asked.push(address)
      return address.includes('-de.')
        ? Response.json({ 'button.ready': 'Jetzt kaufen' })
        : new Response('', { status: 404 })
    })
    const shown = (language: string) => shownLanguage(language, 'https://sale.example')
    expect([shown('en'), shown('de'), shown('de'), shown('fr')]).toEqual(['en', undefined, undefined, undefined])
    await vi.waitFor(() => expect([shown('de'), shown('fr')]).toEqual(['de', 'en']))
    expect(say('de', 'button.ready')).toBe('Jetzt kaufen')
    expect(asked).toEqual(['de', 'fr'].map((one) => `https://sale.example/assets/elements-words-${one}.a1b2.json`))
    expect(complained).toHaveBeenCalledOnce()
    vi.unstubAllGlobals()
  })
})

describe('the token of a customer', () => {
  afterEach(() => void vi.restoreAllMocks())

  it('is asked for once by calls that come together, kept for minutes, and asked for again once forgotten', async () => {
    let given = 0
    const customer = createCustomer(async () => {
      given += 1
      return `a.b.${given}`
    })
    expect(customer.state).toBe('unknown')
    expect(await Promise.all([customer.token(), customer.token()])).toEqual(['a.b.1', 'a.b.1'])
    expect(await customer.token()).toBe('a.b.1')
    expect(customer.state).toBe('known')
    customer.forget()
    expect(await customer.token()).toBe('a.b.2')
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 300_000)
    expect(await customer.token()).toBe('a.b.3')
  })

  it.each([[undefined], [null], [''], ['<html>Sign in</html>'], ['a.b'], ['a.b.c.d']])(
    'is none of %j: a guest',
    async (text) => {
      const customer = createCustomer(() => text)
      expect(await customer.token()).toBeUndefined()
      expect(customer.state).toBe('guest')
    },
  )

  it('that could not be read makes no guest of a customer', async () => {
    const complained = vi.spyOn(console, 'error').mockReturnValue(undefined)
    let fails = true
    const customer = createCustomer(() => {
      if (fails) throw new Error('503')
      return ' a.b.c\n'
    })
    expect(await customer.token()).toBeUndefined()
    expect(customer.state).toBe('unknown')
    expect(complained).toHaveBeenCalledOnce()
    fails = false
    expect(await customer.token()).toBe('a.b.c')
  })
})
