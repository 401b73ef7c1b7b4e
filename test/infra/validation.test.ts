/** Every finding of the validator of CloudFormation and of cdk-nag is an error. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { stringsIn, validated } from './support.ts'
import type { Checks } from './synthesize.ts'

const directory = validated()
const { reasons, refusals }: Checks = JSON.parse(readFileSync(join(directory, 'checks.json'), 'utf8'))

describe('the described cloud', () => {
  it('has no finding of the validator or the rules of cdk-nag, in any kind of stage', () => {
    const report = JSON.parse(readFileSync(join(directory, 'validation-report.json'), 'utf8'))
    const findings: { violations: { description: string }[] }[] = report.pluginReports
    expect(findings.flatMap(({ violations }) => violations.map(({ description }) => description))).toEqual([
      // The warning of a stage that waives the second factor.
      expect.stringContaining('a password alone opens the console'),
    ])
  })

  it('is refused where CloudFormation would refuse it', () => {
    expect(refusals.queue).toContain('DelaySeconds: 5000 is greater than the maximum of 900')
    expect(refusals.queue).toContain('CloudFormation Validate')
  })

  it('fails when a rule of cdk-nag is broken without a reason', () => {
    expect(refusals.bucket).toContain('AwsSolutions-S1')
  })

  it('gives a reason in a sentence for each exception to a rule', () => {
    expect(reasons.length).toBeGreaterThan(10)
    for (const reason of reasons.flatMap(sentencesIn)) expect(reason.length).toBeGreaterThan(40)
  })
})

/** The reasons in acknowledgements. */
function sentencesIn(data: unknown): string[] {
  return stringsIn(data).filter((text) => text.includes(' '))
}
