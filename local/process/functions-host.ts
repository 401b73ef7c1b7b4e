/**
 * The process of the Lambda functions that answer HTTP: the deployed bundles, unchanged, behind their function URLs.
 * Only the environment differs from the cloud's.
 */
import { type HttpFunction, reservationKeysRate } from '../../system/functions.ts'
import { startFunctionUrl } from '../lambda/function-url.ts'
import { invoke } from '../lambda/invoke.ts'
import type { Listening } from '../listen.ts'
import { portOf } from '../ports.ts'
import { everyHttpFunction } from '../resources.ts'
import { startLambdaHost } from './lambda-host.ts'
import { type FunctionsAddresses, functionsSettings } from './messages.ts'

const host = startLambdaHost({ start })

async function start(params: unknown): Promise<FunctionsAddresses> {
  const { signingSecret, before, ...bundles } = functionsSettings.parse(params)
  const load = host.prepare(bundles)
  const serve = async (name: HttpFunction) => {
    const options = { signingSecret, concurrency: 1000, port: portOf(before?.urls[name]) }
    const fn = await load(name)
    // Once instead of on the schedule: here the keys change only with the process.
    if (name === 'order-changes') await invoke(fn, reservationKeysRate.input).catch(host.report)
    return host.stopLater<Listening>(await startFunctionUrl(fn, options, host.report)).url
  }
  return { urls: await everyHttpFunction(serve) }
}
