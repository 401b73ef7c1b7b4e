/** The CDK app (cdk.json): builds the bundles, then synthesises every stage. */
import { build, dist } from '../build.ts'
import { exitOnWrongSettings } from './settings/choices.ts'
import { createCdkApp } from './stage.ts'

await build()
exitOnWrongSettings(() => createCdkApp({ dist, commit: process.env.SLUICE_COMMIT })).synth()
