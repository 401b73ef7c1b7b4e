/** Which problems of a click have words. The build evaluates this module: a script has no text of it. */
import { clickProblems } from './click-problems.ts'

export const clickProblemCodes: readonly string[] = Object.keys(clickProblems).map((key) =>
  key.slice('problem.'.length),
)
