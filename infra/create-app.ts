/**
 * All stages of the system. The templates hold no account: it is that of the credentials at
 * deployment, so a synth without credentials gives the same templates.
 */
import type { App, AppProps } from 'aws-cdk-lib'
import { checkedApp } from './checked-app.ts'
import type { StageSettings } from './settings/stage.ts'
import { stages as deployed } from './settings/stages.ts'
import { SluiceStage } from './stage.ts'

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
