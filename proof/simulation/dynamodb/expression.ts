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

type Term = (item: TableItem | undefined, placeholders: Placeholders) => StoredValue | undefined
type Test = (item: TableItem | undefined, placeholders: Placeholders) => boolean

/** Returns attributes and their new values; undefined removes one. `item` is the item before the update. */
type Change = (item: TableItem | undefined, placeholders: Placeholders) => Map<string, StoredValue | undefined>

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

function anyOf(reader: Reader): Test {
  const tests = [allOf(reader)]
  while (reader.skip('OR')) tests.push(allOf(reader))
  return tests.length === 1 && tests[0] ? tests[0] : (item, given) => evaluated(tests, item, given).some(Boolean)
}

function allOf(reader: Reader): Test {
  const tests = [single(reader)]
  while (reader.skip('AND')) tests.push(single(reader))
  return tests.length === 1 && tests[0] ? tests[0] : (item, given) => evaluated(tests, item, given).every(Boolean)
}

/** Evaluates all tests without short circuit, so that each marks the placeholders that it uses. */
const evaluated = (tests: readonly Test[], item: TableItem | undefined, given: Placeholders) =>
  tests.map((test) => test(item, given))

const functions: Record<string, (reader: Reader) => Test> = {
  attribute_exists: (reader) => {
    const path = pathOf(reader.take())
    return (item, given) => path(item, given) !== undefined
  },
  attribute_not_exists: (reader) => {
    const path = pathOf(reader.take())
    return (item, given) => path(item, given) === undefined
  },
  begins_with: (reader) => {
    const path = pathOf(reader.take())
    reader.expect(',')
    const start = placeholderOf(reader.take())
    return (item, given) => {
      const [text, by] = [path(item, given), start(item, given)]
      return typeof text === 'string' && typeof by === 'string' && text.startsWith(by)
    }
  },
}

function single(reader: Reader): Test {
  if (reader.skip('(')) {
    const inner = anyOf(reader)
    reader.expect(')')
    return inner
  }
  const named = functions[reader.next ?? '']
  if (named !== undefined) {
    reader.take()
    reader.expect('(')
    const test = named(reader)
    reader.expect(')')
    return test
  }
  return comparison(reader)
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

function operand(reader: Reader): Term {
  const word = reader.take()
  if (word !== 'size') return word.startsWith(':') ? placeholderOf(word) : pathOf(word)
  reader.expect('(')
  const path = pathOf(reader.take())
  reader.expect(')')
  return (item, given) => {
    const value = path(item, given)
    return value === undefined ? undefined : lengthOf(value)
  }
}

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

export const parseUpdate = memoize((expression: string): Change => {
  const reader = new Reader(expression)
  const actions: ((item: TableItem | undefined, given: Placeholders) => [string, StoredValue | undefined])[] = []
  while (reader.next !== undefined) {
    const clause = reader.take().toUpperCase()
    do {
      if (clause === 'SET') actions.push(setting(reader))
      else if (clause === 'ADD') actions.push(adding(reader))
      else if (clause === 'REMOVE') actions.push(removing(reader))
      else throw new InvalidExpression(`${clause} is not known here: ${expression}`)
    } while (reader.skip(','))
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

function setting(
  reader: Reader,
): (item: TableItem | undefined, given: Placeholders) => [string, StoredValue | undefined] {
  const name = ownName(reader.take())
  reader.expect('=')
  const value = settable(reader)
  return (item, given) => {
    const set = value(item, given)
    if (set === undefined) throw new InvalidExpression(`${reader.expression} sets a value that is not there`)
    return [name(given), set]
  }
}

function settable(reader: Reader): Term {
  if (reader.next !== 'if_not_exists') return placeholderOf(reader.take())
  reader.take()
  reader.expect('(')
  const path = pathOf(reader.take())
  reader.expect(',')
  const otherwise = placeholderOf(reader.take())
  reader.expect(')')
  return (item, given) => {
    const [there, fresh] = [path(item, given), otherwise(item, given)]
    return there ?? fresh
  }
}

function adding(
  reader: Reader,
): (item: TableItem | undefined, given: Placeholders) => [string, StoredValue | undefined] {
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
}

function removing(
  reader: Reader,
): (item: TableItem | undefined, given: Placeholders) => [string, StoredValue | undefined] {
  const name = ownName(reader.take())
  return (_, given) => [name(given), undefined]
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
