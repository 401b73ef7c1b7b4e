/**
 * Possible defects in TypeScript, found in its syntax tree: comparisons, operators, constants,
 * conditions, calls that are left out. Types, texts and log lines have none.
 */
import { parseAst } from 'vitest/node'
import type { Candidate, Probe, Span } from './mutant.ts'

/** A node of the tree (ESTree with the types of TypeScript). */
type Node = Span & { type: string; [part: string]: unknown }

const operators = new Map(
  Object.entries({
    '<': '<=',
    '<=': '<',
    '>': '>=',
    '>=': '>',
    '===': '!==',
    '!==': '===',
    '+': '-',
    '-': '+',
    '*': '/',
    '/': '*',
    '%': '*',
    '&&': '||',
    '||': '&&',
  }),
)

const quantifiers = new Map(Object.entries({ some: 'every', every: 'some' }))
const extremes = new Map(Object.entries({ min: 'max', max: 'min' }))

/** Calls that only write for people. */
const forPeople = /(^|\.)(log|console|report)\b|^log[A-Z]\w*$/

/** Expressions that hold another one and its type. */
const typed = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression'])

const functions = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])

type Place = {
  parent: Node | undefined
  /** Inside a function: otherwise it is evaluated once, when the module is imported. */
  isRepeated: boolean
  /** The expression of the statement around it. */
  statement: Node | undefined
  /** A part of a chain with `?.` cannot be wrapped on its own. */
  isInChain: boolean
}

/** `text` in place of `span`, which changes what `of` evaluates to. */
type Defect = { of: Node; span: Span; text: string }

export function candidatesIn(source: string): Candidate[] {
  const found: Candidate[] = []
  const textOf = ({ start, end }: Span) => source.slice(start, end)

  function isForPeople(node: Node): boolean {
    const expression = node.type === 'ExpressionStatement' ? nodeIn(node, 'expression') : undefined
    if (expression !== undefined) return isForPeople(expression)
    const callee = node.type === 'CallExpression' ? nodeIn(node, 'callee') : undefined
    return callee !== undefined && forPeople.test(textOf(callee))
  }

  function visit(node: Node, place: Place): void {
    if (node.type.startsWith('TS') && !typed.has(node.type)) return
    if (node.type === 'ImportDeclaration' || node.type === 'ThrowStatement' || isForPeople(node)) return
    for (const { of, span, text } of defectsOf(node, place.parent)) {
      const statement = node.type === 'ExpressionStatement' ? of : place.statement
      found.push({ span: spanOf(span), text, probe: probeOf(of, { ...place, statement }) })
    }
    const inside: Place = {
      parent: node,
      isRepeated: place.isRepeated || functions.has(node.type),
      statement: node.type === 'ExpressionStatement' ? nodeIn(node, 'expression') : place.statement,
      isInChain: node.type === 'ChainExpression' || (place.isInChain && isLink(node)),
    }
    for (const child of childrenOf(node)) visit(child, inside)
  }

  function defectsOf(node: Node, parent: Node | undefined): Defect[] {
    const instead = (text: string): Defect => ({ of: node, span: node, text })
    const part = (...names: string[]) => names.flatMap((name) => nodeIn(node, name) ?? [])
    switch (node.type) {
      case 'BinaryExpression':
      case 'LogicalExpression':
        return inOperation(node)
      case 'UnaryExpression':
        return node.operator === '!' ? part('argument').map((one) => instead(`(${textOf(one)})`)) : []
      case 'ConditionalExpression':
        return part('consequent', 'alternate').map((one) => instead(`(${textOf(one)})`))
      case 'IfStatement':
        return part('test').flatMap((of) => ['true', 'false'].map((text) => ({ of, span: of, text })))
      case 'Literal':
        return isKey(node, parent) ? [] : [otherValue(node.value)].flatMap((value) => value ?? []).map(instead)
      case 'CallExpression':
        return inCall(node)
      case 'ExpressionStatement':
        return part('expression')
          .filter(({ type }) => /^(Call|Await|Assignment|Update)Expression$/.test(type))
          .map((of) => ({ of, span: of, text: 'void 0' }))
      default:
        return []
    }
  }

  function inOperation(node: Node): Defect[] {
    const [left, right] = [nodeIn(node, 'left'), nodeIn(node, 'right')]
    const operator = String(node.operator)
    if (left === undefined || right === undefined) return []
    if (operator === '??') return [{ of: node, span: node, text: `(${textOf(left)})` }]
    const other = operators.get(operator)
    if (other === undefined || (other === '-' && [left, right].some(isText))) return []
    const start = source.indexOf(operator, left.end)
    return [{ of: node, span: { start, end: start + operator.length }, text: other }]
  }

  function inCall(node: Node): Defect[] {
    const callee = nodeIn(node, 'callee')
    const method = callee && nodeIn(callee, 'property')
    if (callee?.type !== 'MemberExpression' || method === undefined) return []
    const name = textOf(method)
    if (name === 'filter') {
      const start = source.lastIndexOf(callee.optional === true ? '?.' : '.', method.start)
      return [{ of: node, span: { start, end: node.end }, text: '' }]
    }
    const isMaths = textOf(callee).startsWith('Math.')
    const other = (isMaths ? extremes : quantifiers).get(name)
    return other === undefined ? [] : [{ of: node, span: method, text: other }]
  }

  const program = parseAst(source, { lang: 'ts' }) as unknown as Node
  visit(program, { parent: undefined, isRepeated: false, statement: undefined, isInChain: false })
  return found
}

const isKey = (node: Node, parent: Node | undefined) =>
  parent?.type === 'Property' && parent.key === node && parent.computed !== true

function otherValue(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value + 1)
  return typeof value === 'boolean' ? String(!value) : undefined
}

/** A link of a chain passes being inside it on to the object or function before it. */
const isLink = ({ type }: Node) => type === 'MemberExpression' || type === 'CallExpression'

const spanOf = ({ start, end }: Span): Span => ({ start, end })

function probeOf(node: Node, { isRepeated, isInChain, statement }: Place): Probe | undefined {
  if (!isRepeated || isInChain) return undefined
  const startsStatement = node.start === statement?.start
  // The target of an assignment cannot be wrapped.
  if (startsStatement && statement !== node && statement?.type === 'AssignmentExpression') return undefined
  return { ...spanOf(node), startsStatement }
}

const isText = (node: Node) => node.type === 'TemplateLiteral' || typeof node.value === 'string'

const isNode = (part: unknown): part is Node =>
  typeof part === 'object' && part !== null && 'type' in part && 'start' in part && 'end' in part

function nodeIn(node: Node, part: string): Node | undefined {
  const found = node[part]
  return isNode(found) ? found : undefined
}

function childrenOf(node: Node): Node[] {
  return Object.entries(node)
    .filter(([part]) => part !== 'parent')
    .flatMap(([, value]) => value)
    .filter(isNode)
}

/**
 * The source with a probe for each of these candidates, which notes its id before the expression that
 * the defect would change.
 */
export function withProbes(source: string, candidates: readonly (Candidate & { id: number })[]): string {
  const probes = candidates.flatMap(({ id, probe }) => (probe === undefined ? [] : [{ id, ...probe }]))
  const opening = Map.groupBy(probes, ({ start }) => start)
  const closing = Map.groupBy(probes, ({ end }) => end)
  let text = ''
  for (let at = 0; at <= source.length; at += 1) {
    text += ')'.repeat(closing.get(at)?.length ?? 0)
    const opened = (opening.get(at) ?? []).toSorted((a, b) => b.end - a.end)
    // A line that begins with a parenthesis would go on with the line before.
    if (opened.some(({ startsStatement }) => startsStatement)) text += 'void '
    for (const { id } of opened) text += `(globalThis.reachedMutants?.add(${id}), `
    text += source[at] ?? ''
  }
  return text
}
