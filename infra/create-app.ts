/** All stages of the system. */
import type { App, AppProps } from 'aws-cdk-lib'
import { checkedApp } from './checked-app.ts'
import { dev } from './settings/dev.ts'
import { prod } from './settings/prod.ts'
import type { StageSettings } from './settings/stage.ts'
import { SluiceStage } from './stage.ts'

export type CreateAppOptions = AppProps & {
  /** The folder that `npm run build` made. */
  dist: string
  /** Absent: that of whoever deploys. */
  account?: string | undefined
  stages?: readonly StageSettings[]
}

export function createApp({ dist, account, stages = [dev, prod], ...props }: CreateAppOptions): App {
  const app = checkedApp(props)
  for (const settings of stages) {
    new SluiceStage(app, { settings, dist, ...(account !== undefined && { account }) })
  }
  return app
}
