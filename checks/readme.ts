/**
 * README.zh-CN.md says what README.md says: headings of the same levels, the same code but for its comments, tables with as
 * many rows, as many items of lists, the same pictures and links, in one order.
 */
import { type Finding, findingAt } from './finding.ts'
import { withoutCode } from './markdown.ts'
import type { Tree } from './tree.ts'

const [original, translation] = ['README.md', 'README.zh-CN.md']

type Part = { kind: string; says: string; index: number }

/** The parts of a page that its translation has as well, in their order. Each page links to the other one. */
function partsOf(page: string): Part[] {
  const text = withoutCode(page)
  const found = (kind: string, of: string, pattern: RegExp) =>
    [...of.matchAll(pattern)].map(({ index, 1: says = '' }) => ({ kind, says, index }))
  const isToOther = ({ says }: Part) => says === original || says === translation
  return [
    ...found('heading', text, /^(#+) /gm),
    ...found('code', page, /^```([\s\S]*?)^```$/gm).map((part) => ({
      ...part,
      says: part.says.replace(/ *# .*$/gm, ''),
    })),
    ...found('table', text, /((?:^\|.*\n)+)/gm).map((part) => ({ ...part, says: `${part.says.split('\n').length}` })),
    ...found('item of a list', text, /^(- )/gm),
    ...found('picture', text, /!\[[^\]]*\]\(([^)]*)\)/g),
    ...found('link', text, /(?<!!)\[[^\]]*\]\(([^)]*)\)/g).filter((part) => !isToOther(part)),
  ]
}

export function checkReadme(tree: Tree): Finding[] {
  const page = tree.text(translation)
  const [expected, actual] = [partsOf(tree.text(original)), partsOf(page)]
  return [...new Set(expected.map(({ kind }) => kind))].flatMap((kind) => {
    const [wanted, given] = [expected, actual].map((parts) => parts.filter((part) => part.kind === kind))
    const count = Math.max(wanted?.length ?? 0, given?.length ?? 0)
    const at = Array.from({ length: count }).findIndex((_, nth) => wanted?.[nth]?.says !== given?.[nth]?.says)
    if (at < 0) return []
    const what = `has another ${kind} at place ${at + 1} than ${original}; say the same on both pages`
    return [findingAt(translation, page, given?.[at]?.index ?? page.length, what)]
  })
}
