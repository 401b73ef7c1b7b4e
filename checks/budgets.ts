/**
 * The size of the repository against `budgets.json`, which each merge lowers to what it reached. It is raised only with
 * a line in docs/decisions that says why.
 */
import * as z from 'zod/mini'
import { settingNames } from '../core/sale/settings.ts'
import type { Finding, Tree } from './tree.ts'

const file = 'checks/budgets.json'

export const budgetNames = [
  'source lines',
  'engine lines',
  'source files',
  'test lines',
  'words of docs',
  'settings of a sale',
  'sale commands',
  'npm scripts',
] as const

type BudgetName = (typeof budgetNames)[number]

const budgets = z.record(z.enum(budgetNames), z.int())
const scripts = z.object({ scripts: z.record(z.string(), z.string()) })

const isSource = (path: string) => /\.(?:ts|tsx|js|mjs|lua|css)$/.test(path)
/** The engine without its pages and options. */
const isEngine = (path: string) => /^(?:core|redis|edge|functions|infra|system)\//.test(path)
const isTest = (path: string) => /^(?:options\/[^/]+\/)?test\//.test(path)
const linesOf = (text: string) => text.split('\n').length - 1
const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== '').length

function sizes(tree: Tree): Record<BudgetName, number> {
  const files = tree.all().filter((path) => !/^(?:examples|options\/registry)\//.test(path))
  const sources = files.filter(isSource)
  const own = sources.filter((path) => !isTest(path))
  const pages = files.filter((path) => path.endsWith('.md') && path !== 'README.zh-CN.md')
  const sum = (paths: readonly string[], of: (text: string) => number) =>
    paths.reduce((total, path) => total + of(tree.text(path)), 0)
  return {
    'source lines': sum(own, linesOf),
    'engine lines': sum(own.filter(isEngine), linesOf),
    'source files': own.length,
    'test lines': sum(sources.filter(isTest), linesOf),
    'words of docs': sum(pages, wordsOf),
    'settings of a sale': settingNames.filter((name) => !name.startsWith('translations.')).length,
    'sale commands': sum(
      own.filter((path) => /^cli\/sale(?:\.ts$|\/)|^options\/[^/]+\/cli\/commands\.ts$/.test(path)),
      (text) => text.match(/\bprogram\s*\.command\('|^ {2}act\('/gm)?.length ?? 0,
    ),
    'npm scripts': Object.keys(scripts.parse(JSON.parse(tree.text('package.json'))).scripts).length,
  }
}

type Used = { name: BudgetName; size: number; budget: number }

function usedOf(tree: Tree): Used[] {
  const [size, budget] = [sizes(tree), budgets.parse(JSON.parse(tree.text(file)))]
  return budgetNames.map((name) => ({ name, size: size[name], budget: budget[name] }))
}

const inWords = ({ name, size, budget }: Used) =>
  `${name} ${size.toLocaleString('en')} of ${budget.toLocaleString('en')}`

/** A line for each budget. */
export const budgetLines = (tree: Tree): string[] => usedOf(tree).map(inWords)

export function checkBudgets(tree: Tree): Finding[] {
  return usedOf(tree)
    .filter(({ size, budget }) => size > budget)
    .map((used) => ({ file, line: 1, what: `${inWords(used)}; take away as much as the change adds` }))
}
