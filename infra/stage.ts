/**
 * The stages of the system: six stacks each, split by lifetime, region and order of deployment. The templates hold no account:
 * it is that of the credentials at deployment, so a synth without credentials gives the same templates.
 */
import { type App, type AppProps, Stage, Tags } from 'aws-cdk-lib'
import { edgeHome } from '../system/edge-regions.ts'
import { perHttpFunction } from '../system/functions.ts'
import { checkedApp } from './checked-app.ts'
import { refuseBadSettings } from './settings/problems.ts'
import type { StageSettings } from './settings/stage.ts'
import { stages as deployed } from './settings/stages.ts'
import { AccessStack } from './stacks/access.ts'
import { AppStack } from './stacks/app.ts'
import { DataStack } from './stacks/data.ts'
import { EdgeStack } from './stacks/edge.ts'
import { SiteStack } from './stacks/site.ts'
import { WatchStack } from './stacks/watch.ts'

type StageOptions = {
  /** The folder that `npm run build` made. */
  dist: string
  /** The commit that is synthesised. */
  commit?: string | undefined
}

function addStage(scope: App, settings: StageSettings, { dist, commit }: StageOptions): void {
  refuseBadSettings(settings)
  const stage = new Stage(scope, `sluice-${settings.name}`)
  Tags.of(stage).add('project', 'sluice')
  Tags.of(stage).add('stage', settings.name)
  const at = (region: string, description: string) => ({
    env: { region },
    description: `Sluice ${settings.name}: ${description}`,
  })
  const home = settings.region
  const data = new DataStack(stage, 'data', { ...at(home, 'data'), settings })
  const app = new AppStack(stage, 'app', { ...at(home, 'functions'), settings, dist, data })
  const { origins, functions, simulator, schedules } = app
  const edge = new EdgeStack(stage, 'edge', {
    ...{ ...at(edgeHome, 'distribution and gate'), settings, dist },
    ...{ origins, simulator, edgeStore: data.edgeStore },
  })
  const access = new AccessStack(stage, 'access', {
    ...at(home, 'permissions of the distribution'),
    site: data.site.bucket,
    distributionId: edge.distributionId,
    functions: perHttpFunction((name) => functions[name].liveName),
  })
  const site = new SiteStack(stage, 'site', {
    ...{ ...at(home, 'pages'), settings, dist, commit },
    ...{ shopUrl: edge.shopUrl, canary: functions.canary.live, schedules, failures: data.failures },
  })
  const watch = new WatchStack(stage, 'watch', {
    ...{ ...at(edgeHome, 'alarms and logs of the edge'), settings },
    ...{ watched: edge.watched, firewallArn: edge.firewallArn },
  })
  edge.addStackDependency(data)
  // Its origins are outputs of that stack.
  edge.addStackDependency(app)
  access.addStackDependency(app)
  // Pages call the gate, and the gate calls functions with these permissions, so pages come after both.
  site.addStackDependency(edge)
  site.addStackDependency(access)
  // The CDK skips the rest after a failure, and nothing that serves should wait for this stack.
  watch.addStackDependency(site)
}

export type CreateAppOptions = AppProps & StageOptions & { stages?: readonly StageSettings[] }

export function createCdkApp({ dist, stages = Object.values(deployed), commit, ...props }: CreateAppOptions): App {
  const app = checkedApp(props)
  for (const settings of stages) addStage(app, settings, { dist, commit })
  return app
}
