/** Headings, prose and tables of a Markdown page, as GitHub reads it. */

export type Heading = { depth: number; anchor: string; index: number }

/** The page with its code blocks blanked, so that an index stays the same: `#` there is a comment of a shell. */
export const withoutCode = (page: string): string =>
  page.replace(/^( *)```.*\n[\s\S]*?^\1```$/gm, (block) => block.replace(/[^\n]/g, ' '))

/** Headings with GitHub's anchors. */
export const headingsIn = (page: string): Heading[] =>
  [...withoutCode(page).matchAll(/^(#+) (.+)$/gm)].map(({ index, 1: depth = '', 2: text = '' }) => ({
    depth: depth.length,
    index,
    anchor: text
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  }))

/** The cells of a row of a table, trimmed; `\|` does not end a cell. */
export const cellsOf = (row: string): string[] =>
  row
    .trim()
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim())

/** The cells of each row of the first table behind `text`, without its headings. */
export function tableBelow(page: string, text: string): string[][] {
  const lines = page.slice(page.indexOf(text)).split('\n')
  const rows = lines.slice(lines.findIndex((line) => line.startsWith('|---')) + 1)
  return rows.slice(0, rows.indexOf('')).map(cellsOf)
}
