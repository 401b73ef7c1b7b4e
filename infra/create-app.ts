/** All stages and the checks that every template must pass. */
import { App, type AppProps, Validations } from 'aws-cdk-lib'
import recommended from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' }
import { AwsSolutionsChecks } from 'cdk-nag'
import { dev } from './settings/dev.ts'
import { prod } from './settings/prod.ts'
import type { StageSettings } from './settings/stage.ts'
import { SluiceStage } from './stage.ts'

export type CreateAppOptions = AppProps & {
  dist: string
  account?: string | undefined
  stages?: readonly StageSettings[]
}

export function createApp({ dist, account, stages = [dev, prod], ...props }: CreateAppOptions): App {
  const app = new App({
    ...props,
    context: {
      ...recommended,
      // A template that CloudFormation would refuse is an error here, before anything is deployed.
      '@aws-cdk/core:validateAgainstDefaultRules': true,
      ...props.context,
    },
  })
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app))
  for (const settings of stages) {
    new SluiceStage(app, { settings, dist, ...(account !== undefined && { account }) })
  }
  return app
}
