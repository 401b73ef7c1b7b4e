/**
 * The stages of the system: five stacks each, split by lifetime, region and order of deployment. The templates hold no
 * account: it is that of the credentials at deployment, so a synth without credentials gives the same templates.
 */
import { type App, type AppProps, Stage, Tags } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
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

type SluiceStageProps = {
  settings: StageSettings
  /** The folder that `npm run build` made. */
  dist: string
  /** The commit that is synthesised. */
  commit?: string | undefined
}

class SluiceStage extends Stage {
  readonly data: DataStack
  readonly app: AppStack
  readonly edge: EdgeStack
  readonly access: AccessStack
  readonly site: SiteStack

  constructor(scope: Construct, { settings, dist, commit }: SluiceStageProps) {
    const id = `sluice-${settings.name}`
    super(scope, id)
    refuseBadSettings(settings)
    Tags.of(this).add('project', 'sluice')
    Tags.of(this).add('stage', settings.name)
    const at = (region: string, description: string) => ({
      env: { region },
      description: `Sluice ${settings.name}: ${description}`,
    })
    const home = settings.region
    this.data = new DataStack(this, 'data', { ...at(home, 'data'), settings })
    this.app = new AppStack(this, 'app', { ...at(home, 'functions'), settings, dist, data: this.data })
    const { origins, functions, simulator } = this.app
    this.edge = new EdgeStack(this, 'edge', {
      ...at(edgeHome, 'distribution and gate'),
      settings,
      dist,
      origins,
      simulator,
      edgeStore: this.data.edgeStore.store,
    })
    this.access = new AccessStack(this, 'access', {
      ...at(home, 'permissions of the distribution'),
      site: this.data.site.bucket,
      distributionId: this.edge.distributionId,
      functions: perHttpFunction((name) => functions[name].liveName),
    })
    this.site = new SiteStack(this, 'site', {
      ...at(home, 'pages'),
      settings,
      dist,
      commit,
      shopUrl: this.edge.shopUrl,
      canary: functions.canary.live,
      schedules: this.app.schedules,
      failures: this.data.failures,
    })
    this.edge.addStackDependency(this.data)
    // Its origins are outputs, which must be there.
    this.edge.addStackDependency(this.app)
    this.access.addStackDependency(this.app)
    // Pages call the gate, and the gate calls functions with these permissions, so pages come after
    // both.
    this.site.addStackDependency(this.edge)
    this.site.addStackDependency(this.access)
  }
}

export type CreateAppOptions = AppProps & {
  /** The output folder of `npm run build`. */
  dist: string
  stages?: readonly StageSettings[]
  commit?: string | undefined
}

export function createApp({ dist, stages = Object.values(deployed), commit, ...props }: CreateAppOptions): App {
  const app = checkedApp(props)
  for (const settings of stages) new SluiceStage(app, { settings, dist, commit })
  return app
}
