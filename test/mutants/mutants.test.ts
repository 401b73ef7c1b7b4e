import { describe, expect, it } from 'vitest'
import { parseAst } from 'vitest/node'
import { drawMutants, sourceOf } from './draw.ts'
import * as lua from './in-lua.ts'
import * as typescript from './in-typescript.ts'
import { mutated } from './mutant.ts'
import { namedMutants } from './named.ts'

const draw = (seed: string, count: number) => drawMutants({ seed, count, only: undefined })

describe('a defect in TypeScript', () => {
  const defectsIn = (source: string) => typescript.candidatesIn(source).map((one) => mutated(source, one))

  it.each<[string, string[]]>([
    ['a < b', ['a <= b']],
    ['a === b && c', ['a !== b && c', 'a === b || c']],
    ['f(!a)', ['void 0', 'f((a))']],
    ['x = a ? b : c', ['void 0', 'x = (b)', 'x = (c)']],
    ['x = a ?? b', ['void 0', 'x = (a)']],
    ['if (a) b', ['if (true) b', 'if (false) b']],
    [
      'const a: 1 | true = Math.min(2, b)',
      ['const a: 1 | true = Math.max(2, b)', 'const a: 1 | true = Math.min(3, b)'],
    ],
    ['const a = b?.filter(c).some(d)', ['const a = b.some(d)', 'const a = b?.filter(c).every(d)']],
    ["log.warn('text', 1); throw new Error(1)", []],
    ["import a from 'b'; type C = 1; const d = { 1: 'text' + 'e' }", []],
  ])('of %s is in its values, and in no type or text', (source, expected) => {
    expect(defectsIn(source).toSorted()).toEqual(expected.toSorted())
  })

  it('has a probe that shows when it is reached, and changes nothing', () => {
    const source = `(a, b) => {
      let x = b
      a.f()
      x += a.is ? 1 : 2
      return x
    }`
    const candidates = typescript.candidatesIn(source).map((one, id) => ({ ...one, id }))
    const [plain, probed] = [source, typescript.withProbes(source, candidates)].map((text) => {
      const reached = new Set<number>()
      const play = new Function('globalThis', `return ${text}`)({ reachedMutants: reached })
      return { result: play({ f: () => undefined, is: true }, 5), reached }
    })
    expect(probed?.result).toBe(plain?.result)
    const unreached = candidates.filter(({ id }) => !probed?.reached.has(id))
    expect(unreached.map((one) => mutated(source, one).split('\n')[3]?.trim())).toEqual(['x += a.is ? 1 : 3'])
  })
})

describe('a defect in Lua', () => {
  it('is in its operators, numbers and calls, and in no comment, text or index', () => {
    const source = `--[[ 1 and 2 ]]
if KEYS[1] ~= 'a and 1' and n + 1 > 0 then -- not 2
  redis.call('DEL', KEYS[1])
end`
    const lines = lua.candidatesIn(source).map((one) => mutated(source, one).split('\n').slice(1, 3).join('|'))
    const call = "|  redis.call('DEL', KEYS[1])"
    expect(lines.toSorted()).toEqual(
      [
        `if KEYS[1] == 'a and 1' and n + 1 > 0 then -- not 2${call}`,
        `if KEYS[1] ~= 'a and 1' or n + 1 > 0 then -- not 2${call}`,
        `if KEYS[1] ~= 'a and 1' and n - 1 > 0 then -- not 2${call}`,
        `if KEYS[1] ~= 'a and 1' and n + 2 > 0 then -- not 2${call}`,
        `if KEYS[1] ~= 'a and 1' and n + 1 >= 0 then -- not 2${call}`,
        `if KEYS[1] ~= 'a and 1' and n + 1 > 1 then -- not 2${call}`,
        "if KEYS[1] ~= 'a and 1' and n + 1 > 0 then -- not 2|  ",
      ].toSorted(),
    )
  })
})

describe('a draw', () => {
  it('is the same for the same seed, has mutants in each folder, and the named ones always', () => {
    const [drawn, again, other] = [draw('a', 60), draw('a', 60), draw('b', 60)]
    expect(drawn).toEqual(again)
    expect(drawn).not.toEqual(other)
    for (const some of [drawn, other]) {
      expect(some.slice(0, namedMutants.length).map(({ name }) => name)).toEqual(namedMutants.map(({ name }) => name))
      const folders = new Set(some.slice(namedMutants.length).map(({ file }) => file.split('/')[0]))
      expect([...folders].toSorted()).toEqual(['core', 'edge', 'functions', 'redis'])
    }
  })

  it('has only sources that can be read by the compiler, with a mutant or with all probes', () => {
    const drawn = draw('c', 300).filter(({ file }) => file.endsWith('.ts'))
    for (const mutant of drawn) parseAst(mutated(sourceOf(mutant.file), mutant), { lang: 'ts' })
    for (const [file, some] of Map.groupBy(drawn, ({ file }) => file)) {
      parseAst(typescript.withProbes(sourceOf(file), some), { lang: 'ts' })
    }
  })
})
