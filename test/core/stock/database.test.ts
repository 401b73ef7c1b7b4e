import { describe, expect, it } from 'vitest'
import { parse } from '../../../core/lib/parse.ts'
import { maxDatabases, type StockDatabase, stockDatabases } from '../../../core/stock/database.ts'

const main: StockDatabase = { name: 'main', url: 'https://main.example', token: 'secret', commandsPerSecond: 10_000 }
const named = (name: string) => ({ ...main, name })
const read = (list: unknown) => parse(stockDatabases, JSON.stringify(list))

describe('the list of databases', () => {
  it('is read from JSON, in its order', () => {
    const list = [main, named('db-2')]
    expect(read(list)).toEqual({ ok: true, value: list })
    const most = Array.from({ length: maxDatabases }, (_, at) => named(`db-${at}`))
    expect(read(most).ok).toBe(true)
  })

  it.each([
    ['what is not JSON', 'secret', 'must be a list in JSON'],
    ['what is no list', JSON.stringify(main), 'must be a list in JSON'],
    ['an empty list', '[]', 'must list a database'],
  ])('is refused when it is %s, without its text', (_, text, detail) => {
    const answer = parse(stockDatabases, text)
    expect(answer).toMatchObject({ ok: false, detail: expect.stringContaining(detail) })
    expect(JSON.stringify(answer)).not.toContain('secret')
  })

  it.each([
    [
      'more databases than a stage may list',
      Array.from({ length: maxDatabases + 1 }, (_, at) => named(`d${at}`)),
      'at most 64',
    ],
    ['two of one name', [main, main], 'unique names'],
    ['a name with other characters', [named('Main 1')], '0.name must be 1 to 20 of a-z, 0-9 and -'],
    ['an address of another protocol', [{ ...main, url: 'redis://main' }], '0.url must be an http or https'],
    ['an empty token', [{ ...main, token: '' }], '0.token is empty'],
    ['no capacity', [{ ...main, commandsPerSecond: 0 }], '0.commandsPerSecond must be at least 1'],
    ['too much capacity', [{ ...main, commandsPerSecond: 10_000_001 }], '0.commandsPerSecond must be at most'],
    ['an unknown field', [{ ...main, region: 'x' }], '0.region is not a known field'],
  ])('is refused with %s, by the name of the field', (_, list, detail) => {
    expect(read(list)).toMatchObject({ ok: false, detail: expect.stringContaining(detail) })
  })
})
