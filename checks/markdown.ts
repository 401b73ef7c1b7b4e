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
