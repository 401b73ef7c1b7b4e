/**
 * The CDK app of one stack, which an administrator deploys once in each account:
 * `npx cdk deploy --app 'node infra/deployer.ts' --context repository=owner/name`.
 */
import { checkedApp } from './checked-app.ts'
import { exitOnWrongSettings, WrongSettings } from './settings/choices.ts'
import { stages as deployed } from './settings/stages.ts'
import { DeployerStack } from './stacks/deployer.ts'

const app = checkedApp()

function given(name: string): string | undefined {
  const value: unknown = app.node.tryGetContext(name)
  return typeof value === 'string' ? value : undefined
}

/** The given stages, or the workflow's. Any job of the repository could take the role of an unprotected stage. */
const wanted = given('stages')?.split(',') ?? ['dev', 'prod']
const stages = Object.values(deployed).filter(({ name }) => wanted.includes(name))
const unknown = wanted.filter((name) => !Object.hasOwn(deployed, name))

exitOnWrongSettings(() => {
  if (unknown.length > 0)
    throw new WrongSettings(`there is no stage ${unknown.join(', ')}: infra/settings/stages.ts has them`)
  return new DeployerStack(app, 'sluice-deployer', {
    repository: given('repository') ?? '',
    stages,
    existingProvider: given('provider') === 'existing',
  })
})
