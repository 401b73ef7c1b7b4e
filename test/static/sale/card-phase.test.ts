import { describe, expect, it } from 'vitest'
import { parseSaleId } from '../../../core/ids.ts'
import { countdownOf, pointerOf } from '../../../core/sale/pointer.ts'
import { type CardSeen, cardPhase, wantsCountdown } from '../../../static/client/sale/phase-seen.ts'

const saleId = parseSaleId('mug')
if (saleId === undefined) throw new Error('mug is a sale id')

const startsAt = 1_000_000
const endsAt = 2_000_000
const sale = {
  saleId,
  version: 2,
  warmed: true,
  startToken: 'token',
  startsAt,
  endsAt,
  windows: [],
  windowIndex: 0,
  requirePass: 'on' as const,
  spreadSeconds: 0,
}

/** A card whose pointer was published a minute before the start. */
function card(flag: 'on' | 'off', countdown: 'loaded' | 'missing'): CardSeen {
  const pointer = pointerOf({ ...sale, flag }, startsAt - 60_000, 5)
  return {
    pointer,
    countdown:
      countdown === 'loaded' ? countdownOf({ ...sale, flag, armed: flag === 'on' }, () => 'parameter') : undefined,
  }
}

describe('a card on the index', () => {
  it('reads open once an armed sale is past its start, though its pointer still says scheduled (C5)', () => {
    expect(cardPhase(card('on', 'loaded'), startsAt - 1)).toBe('scheduled')
    expect(cardPhase(card('on', 'loaded'), startsAt)).toBe('open')
    expect(cardPhase(card('on', 'loaded'), endsAt)).toBe('ended')
  })

  it('goes on waiting past the start of a sale that nobody flipped (C6)', () => {
    expect(cardPhase(card('off', 'loaded'), startsAt + 1)).toBe('scheduled')
  })

  it('believes no countdown of another version', () => {
    const { countdown } = card('on', 'loaded')
    const { pointer } = card('off', 'loaded')
    expect(cardPhase({ pointer: { ...pointer, version: 3 }, countdown }, startsAt)).toBe('scheduled')
  })

  it('asks for its countdown shortly before the start, once, and not for a sale that is far or over', () => {
    expect(wantsCountdown(card('on', 'missing'), startsAt - 60_000)).toBe(false)
    expect(wantsCountdown(card('on', 'missing'), startsAt - 10_000)).toBe(true)
    expect(wantsCountdown(card('on', 'missing'), startsAt + 10_000)).toBe(true)
    expect(wantsCountdown(card('on', 'loaded'), startsAt)).toBe(false)
    expect(wantsCountdown(card('on', 'missing'), endsAt)).toBe(false)
  })
})
