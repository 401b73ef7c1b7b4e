import { expect, it } from 'vitest'
import { saleMoment } from '../../../console/parts/sale-moment.ts'
import { momentText } from '../../../templates/messages/time-text.ts'

const noon = Date.UTC(new Date().getUTCFullYear(), 10, 20, 12)
const voice = {
  locale: () => 'en-GB',
  moment: (ms: number) => momentText(ms, 'en-GB', { zone: true, timeZone: 'Europe/Berlin' }),
}

it('a time of a sale in the console stands beside that in the zone of the sale, where clocks there say another time', () => {
  expect(saleMoment(voice, { timeZone: 'America/New_York' }, noon)).toBe('20 Nov, 13:00 CET (20 Nov, 07:00 GMT-5)')
  for (const timeZone of ['Europe/Berlin', 'Europe/Madrid', undefined])
    expect(saleMoment(voice, { timeZone }, noon)).toBe('20 Nov, 13:00 CET')
  expect(saleMoment(voice, { timeZone: 'Europe/Unknown' }, noon, '13:00'), 'to an older browser').toBe('13:00')
  expect(saleMoment(voice, {}, noon, '13:00')).toBe('13:00')
  expect(saleMoment(voice, { timeZone: 'America/New_York' }, noon, '13:00')).toContain('CET (20 Nov, 07:00')
})
