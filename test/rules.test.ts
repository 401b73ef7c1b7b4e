import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { citationsIn, readRules, report } from './rules.ts'

const page = readFileSync(fileURLToPath(new URL('../docs/rules.md', import.meta.url)), 'utf8')
const ids = (source: string) => citationsIn('x.test.ts', source).map((citation) => citation.id)

describe('the rules page', () => {
  it('holds every rule once, with one sentence', () => {
    const rules = readRules(page)
    expect(rules.length).toBe(84)
    expect(new Set(rules.map((rule) => rule.id)).size).toBe(84)
  })

  it('refuses a state that is neither built nor not yet built', () => {
    expect(() => readRules('| Q1 | nearly | almost there |')).toThrow('Q1')
  })
})

// Ids are put together here, so that these samples are not taken for citations themselves.
const id = (letter: string, number: number) => `${letter}${number}`

describe('citations', () => {
  it('are read from test names and comments, not from other code', () => {
    const source = `it('a (${id('O', 4)})', f) // ${id('C', 6)}\nconst s = '${id('R', 1)}'`
    expect(ids(source)).toEqual([id('O', 4), id('C', 6)])
  })

  it('may name a range', () => {
    expect(ids(`it('a (${id('G', 1)}-${id('G', 3)})', f)`)).toEqual([1, 2, 3].map((n) => id('G', n)))
  })

  it('are distinguished from the storage service of the same name', () => {
    const name = id('S', 3)
    expect(ids(`it('puts a page into ${name} (${name} is where pages live)', f)`)).toEqual([])
    expect(ids(`it('calls by hash (${name}, ${id('S', 9)})', f)`)).toEqual([id('S', 9), name])
  })

  it('carry the line they are on', () => {
    expect(citationsIn('x.test.ts', `\n\nit('a (${id('O', 4)})', f)`)[0]?.where).toBe('x.test.ts:3')
  })
})

describe('the report', () => {
  const rule = { id: id('O', 4), state: 'built' as const, sentence: 'remembered before it is sent' }

  it('reports a built rule that no test cites', () => {
    expect(report([rule], []).faults).toEqual([`${rule.id} is called built and no test cites it`])
  })

  it('reports a citation of a rule that does not exist', () => {
    const unknown = { id: id('O', 99), where: 'x.test.ts:1', says: '' }
    expect(report([{ ...rule, state: 'not yet built' }], [unknown]).faults).toEqual([
      `x.test.ts:1 cites ${unknown.id}, which is not on the page`,
    ])
  })
})
