import { describe, expect, it } from 'vitest'
import { actionText, auditFields, changesOf, gistOf, rowsOf } from '../../../console/report/audit-view.tsx'
import type { AuditRow } from '../../../core/api/control-answers.ts'
import { auditActions } from '../../../core/audit.ts'
import { type Language, defaultLanguages as languages } from '../../../core/language.ts'
import { saleDefinition } from '../../../core/sale/sale.ts'
import { settingNames } from '../../../core/sale/settings.ts'
import { voiceIn } from '../voices.ts'

type Facts = Record<string, unknown> | null
const said = (before: Facts, after: Facts, language: Language = 'en') =>
  changesOf(voiceIn(language), { before, after }).map(
    ({ label, before: was = '', after: is = '' }) => `${label}: ${was} → ${is}`,
  )

describe('the audit log', () => {
  it.each(languages)('has words for each action that the API writes, and shows no raw verb, in %s', (language) => {
    const texts = auditActions.map((action) => actionText(voiceIn(language), action))
    expect(new Set(texts).size).toBe(auditActions.length)
    for (const [i, text] of texts.entries()) {
      expect(text).not.toBe(auditActions[i])
      expect(text).toMatch(language === 'en' ? /^[A-Z][a-z’ -]+$/ : /^[\u4e00-\u9fff]+$/)
    }
  })

  it('shows an action of another version as it came', () => {
    expect(actionText(voiceIn('en'), 'rename')).toBe('rename')
  })

  it('says {"flag":"on"} and other facts in words, in both languages', () => {
    const before = { flag: 'off', epoch: 0, version: 3 }
    const after = { flag: 'on', epoch: 1, version: 4 }
    expect(said(before, after)).toEqual(['State: Not open → Open', 'Times opened: 0 → 1'])
    expect(said(before, after, 'zh-CN')).toEqual(['状态: 未开启 → 已开启', '开启次数: 0 → 1'])
  })

  it('has one line for a change: of a new sale its title, of a block what it blocks', () => {
    const gist = (before: Facts, after: Facts) => {
      const changes = changesOf(voiceIn('en'), { before, after })
      const [first] = changes
      return first && gistOf(changes, first).label
    }
    expect(gist(null, { kind: 'goods', price: 5, title: 'Mug', stock: 3 })).toBe('Title')
    expect(gist({ kind: 'ip', value: '10.0.0.0/8' }, null)).toBe('Blocked')
    expect(gist({ flag: 'off', title: 'Mug' }, { flag: 'on', title: 'Mug' })).toBe('State')
  })

  it('has one row for the steps of a sale, where the newest is, and one for every other entry', () => {
    const entry = (saleId: string | null, what: string) => ({ saleId, what }) as AuditRow
    const day = [entry('a', 'open'), entry(null, 'brand'), entry('b', 'start'), entry('a', 'warm'), entry('a', 'edit')]
    const rows = rowsOf(day).map((row) => row.map(({ saleId, what }) => `${saleId} ${what}`))
    expect(rows).toEqual([['a open', 'a warm'], ['null brand'], ['b start'], ['a edit']])
  })

  it('shows money, times and rules in their own form, and only what differs', () => {
    const before = {
      price: 1000,
      currency: 'CNY',
      startsAt: 5,
      stock: -1,
      throttle: { perIp: rule(3), perShopper: rule(9) },
    }
    const after = {
      price: 1250,
      currency: 'CNY',
      startsAt: 6,
      stock: 7,
      throttle: { perIp: rule(4), perShopper: rule(9) },
    }
    expect(said(before, after)).toEqual([
      'Price: 1000 CNY → 1250 CNY',
      'Stock: Unlimited → 7',
      'Start time: at 5 → at 6',
      'Per IP address: 3 in 60 s → 4 in 60 s',
    ])
    const [moved, ...others] = said({ endsAt: 0, timeZone: 'Asia/Tokyo' }, { endsAt: 60_000, timeZone: 'Asia/Tokyo' })
    expect(moved).toMatch(/^End time: at 0 \(.*09:00 GMT\+9\) → at 60000 \(.*09:01 GMT\+9\)$/)
    expect(others).toEqual([])
    expect(said({ price: 5 }, { price: 6 })).toEqual(['Price: 5 minor units → 6 minor units'])
  })

  it('names the databases of a stock where it is placed or moves', () => {
    const placed = said({ warmed: false, databases: [] }, { warmed: true, databases: ['main', 'db-2'] })
    expect(placed).toEqual(['Databases: – → main, db-2', 'Published: No → Yes'])
    expect(said({ shards: 1 }, { shards: 4 })).toEqual(['Stock databases: 1 → 4'])
    expect(said({ databases: ['main', 'db-2'] }, { databases: ['main', 'db-3'] }, 'zh-CN')).toEqual([
      '库存数据库: main, db-2 → main, db-3',
    ])
  })

  it('names the variants of a sale with their stocks (N1)', () => {
    const variants = [
      { id: 's', name: 'S', stock: 10 },
      { id: 'm', name: 'M', stock: 20 },
    ]
    expect(said({ variants }, { variants: variants.slice(1) })).toEqual(['Variants: S (10); M (20) → M (20)'])
  })

  it('says what came of a repair, and who was blocked', () => {
    expect(said(null, { moved: 3, left: 1 })).toEqual(['Sent again:  → 3', 'Remaining:  → 1'])
    expect(said(null, { state: 'repaired', drift: 0 })).toEqual(['Result:  → Repaired'])
    expect(said({ kind: 'ip', value: '10.0.0.0/8' }, null)).toEqual(['Type: IP address → ', 'Blocked: 10.0.0.0/8 → '])
  })

  it('has a label for every field of a sale that a marketer can change', () => {
    const names = Object.keys(saleDefinition.def.out.shape)
    expect(names.length).toBeGreaterThan(15)
    const labelled = Object.keys(auditFields).flatMap((name) => [name, name.split('.')[0] ?? ''])
    expect(names.filter((name) => !labelled.includes(name))).toEqual([])
  })

  it('has a label for every setting', () => {
    expect(Object.keys(auditFields)).toEqual(expect.arrayContaining([...settingNames]))
  })
})

function rule(limit: number) {
  return { limit, windowSeconds: 60 }
}
