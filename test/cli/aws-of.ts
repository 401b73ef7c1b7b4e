/** The AWS CLI of tests: `answer` gives what it prints, and does not look at the input. */
import type { AwsCli } from '../../cli/aws-cli.ts'

export const awsOf = (answer: (...args: readonly string[]) => Promise<unknown>): AwsCli =>
  Object.assign(answer, { withInput: (_input: string, ...args: readonly string[]) => answer(...args) })
