/**
 * The process of the Lambda functions that shoppers and marketers wait for: the deployed bundles,
 * unchanged, behind their function URLs. Only the environment differs from the cloud's.
 */

import type { HttpFunction } from '../../system/functions.ts'
import { startFunctionUrl } from '../lambda/function-url.ts'
import type { Listening } from '../listen.ts'
import { portOf } from '../ports.ts'
import { everyHttpFunction } from '../resources.ts'
import { startLambdaHost } from './lambda-host.ts'
import { type FunctionsAddresses, functionsSettings } from './messages.ts'

const host = startLambdaHost({ start })

async function start(params: unknown): Promise<FunctionsAddresses> {
  const { dist, environment, signingSecret, before } = functionsSettings.parse(params)
  const load = host.enter(dist, environment)
  const serve = async (name: HttpFunction) => {
    const options = { signingSecret, concurrency: 1000, port: portOf(before?.urls[name]) }
    return host.keep<Listening>(await startFunctionUrl(await load(name), options, host.report)).url
  }
  return { urls: await everyHttpFunction(serve) }
}
