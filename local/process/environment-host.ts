/**
 * One environment of `reserve`: a process that answers one request at a time, like Lambda's. Measurements start several
 * in addition to the process of all functions, which answers any number at once.
 */
import { startFunctionUrl } from '../lambda/function-url.ts'
import type { Listening } from '../listen.ts'
import { portOf } from '../ports.ts'
import { startLambdaHost } from './lambda-host.ts'
import { type EnvironmentAddress, environmentSettings } from './messages.ts'

const host = startLambdaHost({ start })

async function start(params: unknown): Promise<EnvironmentAddress> {
  const { dist, environment, signingSecret, before } = environmentSettings.parse(params)
  const reserve = await host.prepare({ dist, environment })('reserve')
  const options = { signingSecret, concurrency: 1, port: portOf(before?.url) }
  return { url: host.stopLater<Listening>(await startFunctionUrl(reserve, options, host.report)).url }
}
