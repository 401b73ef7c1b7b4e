/** The CDK app, run by the `cdk` command (cdk.json): builds what is deployed, then describes every stage. */
import { build, dist } from '../build.ts'
import { createApp } from './create-app.ts'

await build()
createApp({ dist, commit: process.env.SLUICE_COMMIT }).synth()
