import { describe, expect, it } from 'vitest'
import { clockText, durationParts, momentText } from '../../templates/messages/time-text.ts'

describe('a countdown in words', () => {
  it('shows 1 until the very end and never less than 0 (C5)', () => {
    expect(durationParts(1)).toEqual({ days: 0, hours: 0, minutes: 0, seconds: 1 })
    expect(durationParts(-500)).toEqual({ days: 0, hours: 0, minutes: 0, seconds: 0 })
    expect(durationParts(90_061_000)).toEqual({ days: 1, hours: 1, minutes: 1, seconds: 1 })
  })

  it('leaves out what is zero at the front', () => {
    expect(clockText(249_000, 'days')).toBe('04:09')
    expect(clockText(3_849_000, 'days')).toBe('1:04:09')
    expect(clockText(2 * 86_400_000, 'days')).toBe('2 days 0:00:00')
  })
})

describe('a moment in words', () => {
  it('names the zone where one is wanted', () => {
    const named = momentText(0, 'en-US', { zone: true })
    expect(named.length).toBeGreaterThan(momentText(0, 'en-US').length)
  })

  it('names the year, in either language, where it is wanted', () => {
    const year = new Date().getUTCFullYear()
    for (const locale of ['en-GB', 'zh-CN']) {
      expect(momentText(Date.UTC(year, 5, 15, 12), locale, { zone: true, year: true })).toContain(String(year))
    }
  })

  it('names the year by itself where it is another one', () => {
    const year = new Date().getFullYear()
    const june = (of: number) => momentText(Date.UTC(of, 5, 15, 12), 'en-GB')
    expect(june(year)).not.toContain(String(year))
    expect(june(year + 1)).toContain(String(year + 1))
    expect(june(year - 1)).toContain(String(year - 1))
  })

  it('names no zone in Chinese for readers in China, and puts it last for others', () => {
    const noon = Date.UTC(new Date().getUTCFullYear(), 10, 21, 4, 8)
    const named = (timeZone: string) => momentText(noon, 'zh-CN', { zone: true, timeZone })
    expect(named('Asia/Shanghai')).toBe('11月21日 12:08')
    expect(named('Asia/Tokyo')).toBe('11月21日 13:08 (GMT+9)')
    expect(momentText(noon, 'zh-CN', { seconds: true, timeZone: 'Asia/Tokyo' })).toBe('11月21日 13:08:00')
  })
})
