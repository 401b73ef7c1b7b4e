import { describe, expect, it } from 'vitest'
import { type Startable, startQuestion } from '../../../console/sale/start-question.ts'
import { rain, sale } from '../../core/api/live-answer.ts'
import { voice, voiceIn } from '../voices.ts'

const minute = 60_000
const startsAt = 10 * minute
const goods: Startable = { ...sale, windows: [], windowIndex: 0, startsAt, warmed: false }
const shown = { ...goods, warmed: true }

describe('the question before a sale is scheduled or opened', () => {
  it('says when it opens by itself, what is on offer, and what cannot be changed afterwards', () => {
    const asked = startQuestion(voice, 'start', { ...goods, stock: 20, price: 900, currency: 'EUR' }, 0)
    expect(asked).toEqual({
      title: 'Schedule this sale?',
      effects: [
        'It opens automatically at at 600000, in 10:00. You do not have to be here then.',
        'Stock: 20 units, price: 900 EUR.',
        'The shop lists it within two minutes. After that, units can only be added or removed; texts can still be changed.',
      ],
      action: 'start',
    })
    expect(startQuestion(voice, 'start', shown, 0).effects).toHaveLength(2)
    const inTokyo = startQuestion(voice, 'start', { ...shown, timeZone: 'Asia/Tokyo' }, 0)
    expect(inTokyo.effects[0]).toContain('at at 600000 (1 Jan 1970, 09:10 GMT+9), in 10:00')
  })

  it('opens at once what is wanted now, and what can no longer be scheduled because its time has come', () => {
    const now = startQuestion(voice, 'open-now', shown, 0)
    expect(now).toMatchObject({ title: 'Open this sale now?', action: 'open-now' })
    expect(now.effects[0]).toMatch(/^It opens immediately, before its start time\. .* within about five minutes\.$/)
    const due = startQuestion(voice, 'start', shown, startsAt)
    expect(due).toMatchObject({ title: 'Open this sale now?', action: 'open-now' })
    expect(due.effects[0]).toMatch(/^It opens immediately\. Every open page .* within 20 seconds\.$/)
    expect(startQuestion(voiceIn('zh-CN'), 'start', shown, startsAt - 1)).toMatchObject({
      title: '定时开启这场活动？',
      action: 'start',
    })
  })

  it('names the packets of the round that opens, and splits those of all rounds', () => {
    const windows = [
      { startsAt, endsAt: startsAt + minute, stock: 4, totalAmount: 2000 },
      { startsAt: startsAt + minute, endsAt: startsAt + 2 * minute, stock: 12, totalAmount: 11_050 },
    ]
    const packets = { count: 4, totalAmount: 2000 }
    const waves: Startable = { ...rain, windows, packets, currency: 'CNY', windowIndex: 0, startsAt }
    expect(startQuestion(voice, 'start', { ...waves, warmed: false }, 0).effects.slice(1)).toEqual([
      '4 red packets with 2000 CNY.',
      '13050 CNY is split into 16 red packets, in secret. After that, neither number nor amounts can change. The shop lists it within two minutes.',
    ])
  })
})
