/**
 * Parses and evaluates DynamoDB expressions: conditions, updates, keys and projections. Syntax that our stores do not
 * use is rejected, so that nothing passes here and fails in DynamoDB.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.OperatorsAndFunctions.html
 */
import { compare, isEqualValue, lengthOf, type StoredValue, type TableItem } from './values.ts'

/** The values of placeholders; `used` collects those that an expression used. */
export type Placeholders = {
  names: Readonly<Record<string, string>>
  values: Readonly<Record<string, StoredValue>>
  used: Set<string>
}

/** Reads a value or a decision from an item; undefined without the item. */
type Evaluate<T> = (item: TableItem | undefined, placeholders: Placeholders) => T
type Term = Evaluate<StoredValue | undefined>
type Test = Evaluate<boolean>

/** Returns attributes and their new values; undefined removes one. `item` is the item before the update. */
type Change = Evaluate<Map<string, StoredValue | undefined>>

/** DynamoDB would reject the request. */
export class InvalidExpression extends Error {}

const token = /\s*(?:([(),]|<=|>=|<|>|=)|((?:#?[A-Za-z_][\w]*)(?:\.#?[A-Za-z_]\w*)*)|(:\w+))/y

function tokensOf(expression: string): string[] {
  const tokens: string[] = []
  token.lastIndex = 0
  const text = expression.trimEnd()
  while (token.lastIndex < text.length) {
    const found = token.exec(text)
    if (found === null) throw new InvalidExpression(`unknown text in the expression ${expression}`)
    tokens.push(found[0].trim())
  }
  return tokens
}

/** Reads the tokens of one expression from left to right. */
class Reader {
  readonly expression: string
  readonly tokens: readonly string[]
  at = 0
  constructor(expression: string) {
    this.expression = expression
    this.tokens = tokensOf(expression)
  }
  get next(): string | undefined {
    return this.tokens[this.at]
  }
  isNext(word: string): boolean {
    return this.next?.toUpperCase() === word
  }
  skip(word: string): boolean {
    if (!this.isNext(word)) return false
    this.at += 1
    return true
  }
  take(): string {
    const taken = this.next
    if (taken === undefined) throw new InvalidExpression(`the expression ends too early: ${this.expression}`)
    this.at += 1
    return taken
  }
  expect(word: string): void {
    if (!this.skip(word)) throw new InvalidExpression(`${word} is missing before ${this.next}: ${this.expression}`)
  }
  end(): void {
    if (this.next !== undefined) throw new InvalidExpression(`${this.next} is not known here: ${this.expression}`)
  }
}

const memoize = <T>(read: (expression: string) => T): ((expression: string) => T) => {
  const kept = new Map<string, T>()
  return (expression) => {
    const known = kept.get(expression)
    if (known !== undefined) return known
    const made = read(expression)
    kept.set(expression, made)
    return made
  }
}

export const parseCondition = memoize((expression: string): Test => {
  const reader = new Reader(expression)
  const test = anyOf(reader)
  reader.end()
  return test
})

/** Joins tests with a word. All of them run, without short circuit, so that each marks the placeholders that it uses. */
const joinedBy =
  (word: 'OR' | 'AND', part: (reader: Reader) => Test) =>
  (reader: Reader): Test => {
    const first = part(reader)
    if (!reader.isNext(word)) return first
    const tests = [first]
    while (reader.skip(word)) tests.push(part(reader))
    return (item, given) => {
      const held = tests.map((test) => test(item, given))
      return word === 'OR' ? held.some(Boolean) : held.every(Boolean)
    }
  }
const allOf = joinedBy('AND', single)
const anyOf = joinedBy('OR', allOf)

/** The functions of the value of a path; those with two parameters also take a placeholder. */
const functions: Record<
  string,
  (value: StoredValue | undefined, other: StoredValue | undefined) => StoredValue | undefined
> = {
  attribute_exists: (value) => value !== undefined,
  attribute_not_exists: (value) => value === undefined,
  begins_with: (text, start) => typeof text === 'string' && typeof start === 'string' && text.startsWith(start),
  if_not_exists: (value, otherwise) => value ?? otherwise,
  size: (value) => (value === undefined ? undefined : lengthOf(value)),
}
const tests = ['attribute_exists', 'attribute_not_exists', 'begins_with']

/** Reads the call of one of these functions; undefined when something else is next. */
function callOf(reader: Reader, names: readonly string[]): Term | undefined {
  const run = names.includes(reader.next ?? '') ? functions[reader.take()] : undefined
  if (run === undefined) return undefined
  reader.expect('(')
  const path = pathOf(reader.take())
  if (run.length > 1) reader.expect(',')
  const other = run.length > 1 ? placeholderOf(reader.take()) : undefined
  reader.expect(')')
  return (item, given) => run(path(item, given), other?.(item, given))
}

function single(reader: Reader): Test {
  if (reader.skip('(')) {
    const inner = anyOf(reader)
    reader.expect(')')
    return inner
  }
  const called = callOf(reader, tests)
  return called === undefined ? comparison(reader) : (item, given) => called(item, given) === true
}

const comparisons: Record<string, (order: number) => boolean> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
}

function comparison(reader: Reader): Test {
  const left = operand(reader)
  const sign = reader.take()
  const right = operand(reader)
  const holds = comparisons[sign]
  if (holds === undefined && sign !== '=')
    throw new InvalidExpression(`${sign} is not known here: ${reader.expression}`)
  return (item, given) => {
    const [a, b] = [left(item, given), right(item, given)]
    if (a === undefined || b === undefined) return false
    if (holds === undefined) return isEqualValue(a, b)
    const order = compare(a, b)
    return order !== undefined && holds(order)
  }
}

const operand = (reader: Reader): Term => callOf(reader, ['size']) ?? termOf(reader.take())
const termOf = (word: string): Term => (word.startsWith(':') ? placeholderOf(word) : pathOf(word))

const isWord = /^#?[A-Za-z_]\w*(?:\.#?[A-Za-z_]\w*)*$/

function pathOf(word: string): Term {
  if (!isWord.test(word)) throw new InvalidExpression(`${word} is no path`)
  const parts = word.split('.')
  return (item, given) => {
    const names = parts.map((part) => nameOf(part, given))
    let value: StoredValue | undefined = item
    for (const name of names) {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
      value = (value as TableItem)[name]
    }
    return value
  }
}

function placeholderOf(word: string): Term {
  if (!word.startsWith(':')) throw new InvalidExpression(`${word} is no placeholder of a value`)
  return (_, { values, used }) => {
    const value = values[word]
    if (value === undefined) throw new InvalidExpression(`the expression uses ${word}, which has no value`)
    used.add(word)
    return value
  }
}

/** @throws InvalidExpression for an unknown placeholder or a reserved word */
function nameOf(word: string, { names, used }: Placeholders): string {
  if (!word.startsWith('#')) {
    if (reserved.has(word.toUpperCase()))
      throw new InvalidExpression(`${word} is a reserved word: it needs a placeholder`)
    return word
  }
  const name = names[word]
  if (name === undefined) throw new InvalidExpression(`the expression uses ${word}, which has no name`)
  used.add(word)
  return name
}

/**
 * The reserved words of DynamoDB that one of our attributes has or could have.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ReservedWords.html
 */
const reserved = new Set(
  (
    'ADD ALL AND AS BACKUP BATCH BETWEEN BLOCK BY CHECK CLOSE COMMENT COUNT CURRENT DATA DATE DAY DEFAULT DELETE ' +
    'DOMAIN END EXISTS FILTER FOR FROM GROUP HOUR ID IN INDEX ITEMS KEY KEYS LANGUAGE LAST LEFT LIMIT LIST LOCK ' +
    'MAP MINUTE MODE MONTH NAME NAMES NEW NEXT NOT NULL NUMBER OF OLD ON OPEN OPTION OR ORDER OWNER PARTITION ' +
    'PATH PERCENT PLAN POSITION QUOTA RANGE READ REASON RECORD REFERENCE REGION RELEASE REPLACE RESULT RETURN ROLE ' +
    'SECOND SELECT SESSION SET SHARE SIZE SOURCE START STATE STATUS STORAGE STREAM STRING SUM TABLE TEXT THEN TIME ' +
    'TIMESTAMP TO TOKEN TOTAL TRIGGER TYPE UNIT UPDATE URL USE USER VALUE VALUES VIEW WHEN WHERE WITH WORK YEAR ZONE'
  ).split(' '),
)

/** Returns the name and the new value of an attribute. */
type Action = Evaluate<[name: string, value: StoredValue | undefined]>

const clauses: Record<string, (reader: Reader) => Action> = {
  SET(reader) {
    const name = ownName(reader.take())
    reader.expect('=')
    const value = callOf(reader, ['if_not_exists']) ?? placeholderOf(reader.take())
    return (item, given) => [name(given), value(item, given)]
  },
  ADD(reader) {
    const name = ownName(reader.take())
    const delta = placeholderOf(reader.take())
    return (item, given) => {
      const attribute = name(given)
      const [before, more] = [item?.[attribute] ?? 0, delta(item, given)]
      if (typeof before !== 'number' || typeof more !== 'number') {
        throw new InvalidExpression(`${attribute} is no number that something can be added to`)
      }
      return [attribute, before + more]
    }
  },
  REMOVE(reader) {
    const name = ownName(reader.take())
    return (_, given) => [name(given), undefined]
  },
}

export const parseUpdate = memoize((expression: string): Change => {
  const reader = new Reader(expression)
  const actions: Action[] = []
  while (reader.next !== undefined) {
    const word = reader.take().toUpperCase()
    const clause = clauses[word]
    if (clause === undefined) throw new InvalidExpression(`${word} is not known here: ${expression}`)
    do actions.push(clause(reader))
    while (reader.skip(','))
  }
  return (item, given) => {
    const changed = new Map<string, StoredValue | undefined>()
    for (const action of actions) {
      const [name, value] = action(item, given)
      if (changed.has(name)) throw new InvalidExpression(`two parts of the update change ${name}: ${expression}`)
      changed.set(name, value)
    }
    return changed
  }
})

/** Reads the name of a top-level attribute. */
function ownName(word: string): (given: Placeholders) => string {
  if (!isWord.test(word) || word.includes('.'))
    throw new InvalidExpression(`${word} is no attribute of the item itself`)
  return (given) => nameOf(word, given)
}

/** Returns the names of the projected attributes. */
export function parseProjection(expression: string, given: Placeholders): readonly string[] {
  return expression.split(',').map((word) => ownName(word.trim())(given))
}

/** The key of the partition; `has` tests an item of it. */
export type KeyCondition = { partition: string; has: Test }

/**
 * Parses the condition of a query, which must start with the partition.
 * @throws InvalidExpression unless it compares `hash` first, and then at most `range`
 */
export function parseKeyCondition(
  expression: string,
  { hash, range }: { hash: string; range: string },
  given: Placeholders,
): KeyCondition {
  const words = tokensOf(expression)
  const [first, sign, value = ''] = words
  const partition = value.startsWith(':') ? placeholderOf(value)(undefined, given) : undefined
  const isOfRange = words.length === 3 || (words[3] === 'AND' && (words[4] === range || words[6] === range))
  if (first !== hash || sign !== '=' || typeof partition !== 'string' || !isOfRange) {
    throw new InvalidExpression(`a query needs ${hash} = :value, and may compare ${range}: ${expression}`)
  }
  const has = parseCondition(expression)
  // Marks the placeholders as used, even when the partition is empty.
  has(undefined, given)
  return { partition, has }
}
