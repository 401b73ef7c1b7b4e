/** What a check of the smoke test found, and the line a person reads of it. */

/** `came` is what was seen, or why nothing was looked at; `hint` says where to look when it is wrong. */
export type Finding =
  | { kind: 'ok'; came: string }
  | { kind: 'skipped'; came: string }
  | { kind: 'failed'; came: string; hint?: string }

/** `expected` is shown when something else came. */
export type Check = { name: string; expected: string; look: () => Promise<Finding> }

export type Print = (line: string) => void

export const ok = (came: string): Finding => ({ kind: 'ok', came })
export const skipped = (why: string): Finding => ({ kind: 'skipped', came: why })
export const failed = (came: string, hint?: string): Finding => ({
  kind: 'failed',
  came,
  ...(hint === undefined ? {} : { hint }),
})

/** One line, and a second one with the hint if there is one. */
export function lineOf({ name, expected }: Pick<Check, 'name' | 'expected'>, finding: Finding): string {
  if (finding.kind === 'ok') return `✓ ${name}: ${finding.came}`
  if (finding.kind === 'skipped') return `- ${name}: skipped, ${finding.came}`
  const hint = finding.hint === undefined ? '' : `\n    ${finding.hint}`
  return `✗ ${name}: expected ${expected}, came ${finding.came}${hint}`
}
