/** The result of a check, and its line of output. */

/** `received` says what was received, or why the check was skipped; `hint` names the likely cause of a failure. */
export type SmokeFinding =
  | { kind: 'ok'; received: string }
  | { kind: 'skipped'; received: string }
  | { kind: 'failed'; received: string; hint?: string }

/** `expected` is shown when the check fails. */
export type SmokeCheck = { name: string; expected: string; run: () => Promise<SmokeFinding> }

export type Print = (line: string) => void

export const ok = (received: string): SmokeFinding => ({ kind: 'ok', received })
export const skipped = (why: string): SmokeFinding => ({ kind: 'skipped', received: why })
export const failed = (received: string, hint?: string): SmokeFinding => ({
  kind: 'failed',
  received,
  ...(hint === undefined ? {} : { hint }),
})

/** Returns one line, and a second one with the hint. */
export function findingLine({ name, expected }: Pick<SmokeCheck, 'name' | 'expected'>, finding: SmokeFinding): string {
  if (finding.kind === 'ok') return `✓ ${name}: ${finding.received}`
  if (finding.kind === 'skipped') return `- ${name}: skipped, ${finding.received}`
  const hint = finding.hint === undefined ? '' : `\n    ${finding.hint}`
  return `✗ ${name}: expected ${expected}, got ${finding.received}${hint}`
}
