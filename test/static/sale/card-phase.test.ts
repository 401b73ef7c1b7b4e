import { describe, expect, it } from 'vitest'
import { parseSaleId } from '../../../core/ids.ts'
import { pointerOf } from '../../../core/sale/pointer.ts'
import { cardPhase } from '../../../static/client/sale/card-phase.ts'

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

/** A pointer that was published a minute before the start. */
const pointer = (flag: 'on' | 'off') => pointerOf({ ...sale, flag }, startsAt - 60_000, 5)

describe('a card on the index', () => {
  it('reads open once an armed sale is past its start, though its pointer still says scheduled (C5)', () => {
    expect(cardPhase(pointer('on'), startsAt - 1)).toBe('scheduled')
    expect(cardPhase(pointer('on'), startsAt)).toBe('open')
    expect(cardPhase(pointer('on'), endsAt)).toBe('ended')
  })

  it('goes on waiting past the start of a sale that was not started (C6)', () => {
    expect(cardPhase(pointer('off'), startsAt + 1)).toBe('scheduled')
  })
})
