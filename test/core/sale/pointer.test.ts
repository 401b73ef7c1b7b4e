import { describe, expect, it } from 'vitest'
import type { SaleId } from '../../../core/ids.ts'
import type { Flag } from '../../../core/sale/phase.ts'
import * as published from '../../../core/sale/pointer.ts'
import { countdownSource, pointerOf } from '../../../core/sale/pointer.ts'
import { armedTokenOf } from '../../../redis/gate/armed-token.ts'

const sale = {
  saleId: 'mug' as SaleId,
  version: 3,
  warmed: true,
  startToken: 'secret-token',
  startsAt: 1000,
  endsAt: 2000,
  windows: [],
  windowIndex: 0,
  requirePass: 'on' as const,
  spreadSeconds: 30,
}

const countdownOf = (sale: Parameters<typeof published.countdownOf>[0]) => published.countdownOf(sale, armedTokenOf)
const countdownJson = (sale: Parameters<typeof countdownOf>[0] & Parameters<typeof published.countdownJson>[1]) =>
  published.countdownJson(countdownOf(sale), sale)

describe('the countdown', () => {
  it.each<Flag>(['off', 'paused', 'closed'])('never shows the start token while the flag is %s (C6)', (flag) => {
    const source = countdownSource(countdownOf({ ...sale, flag }))
    expect(source).not.toContain('secret-token')
    expect(source).toContain('"started":false')
  })

  it('shows started and the token once the flag is on (C6)', () => {
    expect(countdownOf({ ...sale, flag: 'on' })).toMatchObject({ started: true, startToken: 'secret-token' })
  })

  it('says that a sale which waits for its time is not started, and has another parameter, with the same turns (C6, R8)', () => {
    const armed = countdownOf({ ...sale, flag: 'on', armed: true })
    const started = countdownOf({ ...sale, flag: 'on' })
    expect(armed.started).toBe(false)
    expect(armed.startToken).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(countdownSource(armed)).not.toContain('secret-token')
    expect(started.startToken).not.toBe(armed.startToken)
    expect(started.turnKey).toBe(armed.turnKey)
    expect(countdownOf({ ...sale, flag: 'on', armed: true, spreadSeconds: 0 })).not.toHaveProperty('turnKey')
  })

  it('says what a click needs where it is not the default, and nothing else (L6, R8)', () => {
    const usual = { ...sale, flag: 'off', requirePass: 'on', spreadSeconds: 0 } as const
    expect(Object.keys(countdownOf(usual)).sort()).toEqual(['endsAt', 'saleId', 'started', 'startsAt', 'version'])
    expect(countdownOf({ ...usual, spreadSeconds: 30 })).toMatchObject({ spreadSeconds: 30 })
    expect(countdownOf({ ...usual, requirePass: 'off' })).toMatchObject({ requirePass: 'off' })
    const earlyAccess = { minutes: 10, minLevel: 3 }
    expect(countdownOf({ ...usual, earlyAccess })).toEqual({ ...countdownOf(usual), earlyMinutes: 10 })
  })

  it('has the product in its JSON where pages of other sites may sell the sale, and otherwise the same bytes', () => {
    const shown = { kind: 'goods', title: 'Mug', price: 990, currency: 'EUR', challenge: 'off' } as const
    const started = { ...sale, ...shown, flag: 'on' } as const
    const plain = JSON.stringify(countdownOf(started))
    expect(countdownJson(started)).toBe(plain)
    expect(countdownJson({ ...started, allowedOrigins: [] })).toBe(plain)
    const allowedOrigins = ['https://host.example']
    const productOf = (change: object = {}) =>
      JSON.parse(countdownJson({ ...started, allowedOrigins, ...change })).product
    expect(JSON.parse(countdownJson({ ...started, allowedOrigins }))).toEqual({
      ...countdownOf(started),
      product: { title: 'Mug', price: 990, currency: 'EUR', digits: 2 },
    })
    const translations = { 'zh-CN': { title: '马克杯' }, en: { description: 'Blue.' } }
    expect(productOf({ translations })).toMatchObject({ titles: { 'zh-CN': '马克杯' } })
    expect(productOf({ currency: 'JPY' })).toMatchObject({ digits: 0 })
    const variants = [{ id: 's', name: 'S', stock: 1 }]
    const draw = { opensAt: 1, closesAt: 2, commitSeconds: 60, claimSeconds: 600 }
    for (const more of [{ kind: 'red-packet' }, { challenge: 'pow' }, { variants }, { draw }])
      expect(productOf(more)).toMatchObject({ onPage: true })
  })

  it('is a module a browser can import', () => {
    expect(countdownSource(countdownOf({ ...sale, flag: 'off' }))).toMatch(/^export const countdown = \{.*\}\n$/)
  })
})

describe('the pointer', () => {
  it('names the countdown of its version and the units left, and never a token (C6, C8)', () => {
    const pointer = pointerOf({ ...sale, flag: 'on' }, 1500, 0)
    expect(pointer).toEqual({
      saleId: 'mug',
      version: 3,
      at: 1500,
      phase: 'sold-out',
      startsAt: 1000,
      endsAt: 2000,
      nextStartsAt: null,
      src: '/sales/mug/countdown.3.js',
      remaining: 0,
    })
  })

  it('names the start of the next window, and waits for it once this one is over (R7)', () => {
    const windows = [
      { startsAt: 1000, endsAt: 2000, stock: 5 },
      { startsAt: 3000, endsAt: 4000, stock: 5 },
    ]
    const first = { ...sale, flag: 'on' as const, windows }
    expect(pointerOf(first, 1500, 5)).toMatchObject({ phase: 'open', nextStartsAt: 3000 })
    expect(pointerOf(first, 2000, 5)).toMatchObject({ phase: 'scheduled', nextStartsAt: 3000 })
    const last = { ...first, startsAt: 3000, endsAt: 4000, windowIndex: 1 }
    expect(pointerOf(last, 3500, 5)).toMatchObject({ phase: 'open', nextStartsAt: null })
    expect(pointerOf(last, 4000, 5)).toMatchObject({ phase: 'ended', nextStartsAt: null })
  })
})
