/**
 * The last part of `npm run check` (all.ts): what can be read from source and docs as text. One line for each finding; exits 1
 * when there is any.
 */
import { checkArchitecture, checkNames } from './architecture.ts'
import { budgetLines, checkBudgets } from './budgets.ts'
import { checkDialects } from './dialects.ts'
import { checkAnswers, checkHttpApi, checkOpenApi } from './http-api.ts'
import { checkLocks } from './locks.ts'
import { checkCatalogues } from './messages.ts'
import { checkRegistry } from './options.ts'
import { checkClick, checkPages, checkReadme } from './pages.ts'
import { checkProse } from './prose.ts'
import { checkRules } from './rules.ts'
import { checkRunbook } from './runbook.ts'
import { checkScripts } from './scripts.ts'
import { type Finding, printed, repository, type Tree } from './tree.ts'
import { checkWorkflows } from './workflows.ts'

const checks: ((tree: Tree) => Finding[] | Promise<Finding[]>)[] = [
  checkArchitecture,
  checkLocks,
  checkNames,
  checkRegistry,
  checkPages,
  checkReadme,
  checkClick,
  checkScripts,
  checkHttpApi,
  checkOpenApi,
  checkAnswers,
  checkDialects,
  checkCatalogues,
  checkProse,
  checkRules,
  checkRunbook,
  checkWorkflows,
  checkBudgets,
]

const findings = (await Promise.all(checks.map((check) => check(repository)))).flat()
for (const finding of findings) console.error(printed(finding))
for (const line of budgetLines(repository)) console.log(line)
console.log(`${checks.length} checks, ${findings.length} findings`)
process.exitCode = findings.length === 0 ? 0 : 1
