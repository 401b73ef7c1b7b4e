/**
 * All stages of the system. Their account is that of whoever deploys, and is in no template: what a workflow describes without
 * credentials is then what is described by hand.
 */
import type { App, AppProps } from 'aws-cdk-lib'
import { checkedApp } from './checked-app.ts'
import { dev } from './settings/dev.ts'
import { prod } from './settings/prod.ts'
import type { StageSettings } from './settings/stage.ts'
import { SluiceStage } from './stage.ts'

export type CreateAppOptions = AppProps & {
  /** The folder that `npm run build` made. */
  dist: string
  stages?: readonly StageSettings[]
  commit?: string | undefined
}

export function createApp({ dist, stages = [dev, prod], commit, ...props }: CreateAppOptions): App {
  const app = checkedApp(props)
  for (const settings of stages) new SluiceStage(app, { settings, dist, commit })
  return app
}
