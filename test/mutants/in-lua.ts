/** Possible defects in the scripts of Redis, found in their tokens: as in TypeScript. */
import type { Candidate } from './mutant.ts'

const operators: Readonly<Record<string, string>> = {
  '==': '~=',
  '~=': '==',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  and: 'or',
  or: 'and',
  not: '',
  true: 'false',
  false: 'true',
  'math.min': 'math.max',
  'math.max': 'math.min',
}

const skipped = /--\[\[[\s\S]*?\]\]|--.*|#!.*|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/.source
const operator = /\.\.|[=~<>]=|[<>]|(?<=\s)[+-](?=\s)|\b(?:math\.(?:min|max)|and|or|not|true|false)\b/.source
/** Not in a name, not an index, not in a longer number. */
const number = /(?<![\w.[])\d+(?![\w.])/.source
/** A call that is a statement, on a line of its own. */
const statement = /(?<=^[ ]*)redis\.call\(.*\)$/.source

const tokens = new RegExp(`${skipped}|(?<operator>${operator})|(?<number>${number})`, 'g')

export function candidatesIn(source: string): Candidate[] {
  const found: Candidate[] = []
  const add = (start: number, was: string, text: string) =>
    found.push({ span: { start, end: start + was.length }, text, probe: undefined })
  for (const { index, groups } of source.matchAll(tokens)) {
    const { operator, number } = groups ?? {}
    const other = operator === undefined ? undefined : operators[operator]
    if (operator !== undefined && other !== undefined) add(index, operator, other)
    if (number !== undefined) add(index, number, String(Number(number) + 1))
  }
  for (const { index, 0: call } of source.matchAll(new RegExp(statement, 'gm'))) {
    if (isBalanced(call)) add(index, call, '')
  }
  return found
}

const isBalanced = (text: string) => text.split('(').length === text.split(')').length
