/** The result of a check, and its line of output. */

/** `came` is what was received, or why the check was skipped; `hint` names the likely cause of a failure. */
export type SmokeFinding =
  | { kind: 'ok'; came: string }
  | { kind: 'skipped'; came: string }
  | { kind: 'failed'; came: string; hint?: string }

/** `expected` is shown when the check fails. */
export type Check = { name: string; expected: string; run: () => Promise<SmokeFinding> }

export type Print = (line: string) => void

export const ok = (came: string): SmokeFinding => ({ kind: 'ok', came })
export const skipped = (why: string): SmokeFinding => ({ kind: 'skipped', came: why })
export const failed = (came: string, hint?: string): SmokeFinding => ({
  kind: 'failed',
  came,
  ...(hint === undefined ? {} : { hint }),
})

/** One line, and a second one with the hint. */
export function lineOf({ name, expected }: Pick<Check, 'name' | 'expected'>, finding: SmokeFinding): string {
  if (finding.kind === 'ok') return `✓ ${name}: ${finding.came}`
  if (finding.kind === 'skipped') return `- ${name}: skipped, ${finding.came}`
  const hint = finding.hint === undefined ? '' : `\n    ${finding.hint}`
  return `✗ ${name}: expected ${expected}, came ${finding.came}${hint}`
}
